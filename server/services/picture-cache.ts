import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface PictureCacheOptions {
  dir: string
  /** What all files together may take; the least recently used ones go first. */
  maxBytes: number
  nowMs?: () => number
}

export interface PictureCache {
  get(key: string): Promise<Buffer | undefined>
  /** Keeps `body`; where the disk refuses, it is simply not kept. */
  put(key: string, body: Buffer): Promise<void>
  bytes(): Promise<number>
}

/** How often a file's time is set anew while it is in use, so that a restart still knows what was used last. */
const TOUCH_MS = 3_600_000

interface Entry {
  bytes: number
  touchedMs: number
}

/** Pictures on disk, by key, within a bound. What is on disk when it starts is taken over, what is left half-written is removed. */
export function createPictureCache({ dir, maxBytes, nowMs = Date.now }: PictureCacheOptions): PictureCache {
  /** In order of use: the first entry is the one used longest ago. */
  const entries = new Map<string, Entry>()
  let total = 0
  let opened: Promise<void> | undefined

  const nameOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 40)
  const remove = (name: string) => rm(join(dir, name), { force: true }).catch(() => undefined)

  async function open(): Promise<void> {
    await mkdir(dir, { recursive: true, mode: 0o700 }).catch(() => undefined)
    const names = await readdir(dir).catch(() => [])
    const found: { name: string; bytes: number; usedMs: number }[] = []
    for (const name of names) {
      if (!/^[0-9a-f]{40}$/.test(name)) {
        if (name.endsWith('.part')) await remove(name)
        continue
      }
      const info = await stat(join(dir, name)).catch(() => undefined)
      if (info?.isFile()) found.push({ name, bytes: info.size, usedMs: info.mtimeMs })
    }
    for (const { name, bytes, usedMs } of found.sort((a, b) => a.usedMs - b.usedMs)) {
      entries.set(name, { bytes, touchedMs: usedMs })
      total += bytes
    }
    await evict()
  }
  const ready = () => {
    opened ??= open()
    return opened
  }

  async function evict(): Promise<void> {
    for (const [name, entry] of entries) {
      if (total <= maxBytes) return
      entries.delete(name)
      total -= entry.bytes
      await remove(name)
    }
  }

  return {
    async get(key) {
      await ready()
      const name = nameOf(key)
      const entry = entries.get(name)
      if (entry === undefined) return undefined
      const body = await readFile(join(dir, name)).catch(() => undefined)
      if (entries.get(name) !== entry) return body
      entries.delete(name)
      if (body === undefined || body.length !== entry.bytes) {
        total -= entry.bytes
        return undefined
      }
      entries.set(name, entry)
      if (nowMs() - entry.touchedMs > TOUCH_MS) {
        entry.touchedMs = nowMs()
        await utimes(join(dir, name), new Date(entry.touchedMs), new Date(entry.touchedMs)).catch(() => undefined)
      }
      return body
    },

    async put(key, body) {
      await ready()
      if (body.length > maxBytes) return
      const name = nameOf(key)
      const part = join(dir, `${randomUUID()}.part`)
      try {
        await writeFile(part, body)
        await rename(part, join(dir, name))
      } catch {
        await rm(part, { force: true }).catch(() => undefined)
        return
      }
      total += body.length - (entries.get(name)?.bytes ?? 0)
      entries.delete(name)
      entries.set(name, { bytes: body.length, touchedMs: nowMs() })
      await evict()
    },

    async bytes() {
      await ready()
      return total
    },
  }
}
