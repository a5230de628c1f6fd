import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { hasDiskSpace } from '../disk-space.ts'

export interface PictureCacheOptions {
  dir: string
  /** The maximum total size of the files. The least recently used ones are removed first. */
  maxBytes: number
  nowMs?: () => number
  hasSpace?: typeof hasDiskSpace
}

/** The minimum interval between updates of a used file's modification time, from which a restart restores the order of use. */
const TOUCH_INTERVAL_MS = 3_600_000

interface Entry {
  bytes: number
  touchedMs: number
}

/** A bounded cache of pictures on disk. Existing files are indexed at the first access, and incomplete ones are removed. */
export function createPictureCache({ dir, maxBytes, nowMs = Date.now, hasSpace = hasDiskSpace }: PictureCacheOptions) {
  const evictions = new Set<Promise<void>>()
  const removeFile = (name: string) => rm(join(dir, name), { force: true }).catch(() => undefined)
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    // The size is at least 1, because the cache requires positive sizes.
    sizeCalculation: ({ bytes }) => Math.max(1, bytes),
    dispose: (_entry, name, reason) => {
      if (reason !== 'evict') return
      const eviction = removeFile(name).finally(() => evictions.delete(eviction))
      evictions.add(eviction)
    },
  })
  let indexing: Promise<void> | undefined

  const nameOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 40)

  async function indexFiles(): Promise<void> {
    await mkdir(dir, { recursive: true, mode: 0o700 }).catch(() => undefined)
    const fileNames = await readdir(dir).catch(() => [])
    const foundFiles: { name: string; bytes: number; usedMs: number }[] = []
    for (const name of fileNames) {
      if (!/^[0-9a-f]{40}$/.test(name)) {
        if (name.endsWith('.part')) await removeFile(name)
        continue
      }
      const fileStats = await stat(join(dir, name)).catch(() => undefined)
      if (fileStats?.isFile()) foundFiles.push({ name, bytes: fileStats.size, usedMs: fileStats.mtimeMs })
    }
    for (const { name, bytes, usedMs } of foundFiles.sort((a, b) => a.usedMs - b.usedMs)) {
      if (bytes > maxBytes) await removeFile(name)
      else entries.set(name, { bytes, touchedMs: usedMs })
    }
    await Promise.all(evictions)
  }
  const whenIndexed = () => {
    indexing ??= indexFiles()
    return indexing
  }

  return {
    async get(key: string): Promise<Buffer | undefined> {
      await whenIndexed()
      const name = nameOf(key)
      const entry = entries.get(name)
      if (entry === undefined) return undefined
      const body = await readFile(join(dir, name)).catch(() => undefined)
      // The entry is compared again after the read, because the picture may have been replaced or evicted during the read.
      if (entries.peek(name) !== entry) return body
      if (body === undefined || body.length !== entry.bytes) {
        entries.delete(name)
        return undefined
      }
      if (nowMs() - entry.touchedMs > TOUCH_INTERVAL_MS) {
        entry.touchedMs = nowMs()
        await utimes(join(dir, name), new Date(entry.touchedMs), new Date(entry.touchedMs)).catch(() => undefined)
      }
      return body
    },

    /** Stores a picture, if the disk has room for it. A failed write is ignored: the picture is then not cached. */
    async put(key: string, body: Buffer): Promise<void> {
      await whenIndexed()
      if (body.length > maxBytes) return
      const name = nameOf(key)
      const temporaryPath = join(dir, `${randomUUID()}.part`)
      try {
        if (!(await hasSpace(dir, body.length))) return
        await writeFile(temporaryPath, body)
        await rename(temporaryPath, join(dir, name))
      } catch {
        await rm(temporaryPath, { force: true }).catch(() => undefined)
        return
      }
      entries.set(name, { bytes: body.length, touchedMs: nowMs() })
      await Promise.all(evictions)
    },

    async totalBytes(): Promise<number> {
      await whenIndexed()
      return entries.calculatedSize
    },
  }
}
export type PictureCache = ReturnType<typeof createPictureCache>
