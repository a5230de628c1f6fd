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

interface CachedPicture {
  bytes: number
  touchedMs: number
}

/** A bounded cache of pictures on disk. Existing files are indexed at the first access, and incomplete ones are removed. */
export function createPictureCache({ dir, maxBytes, nowMs = Date.now, hasSpace = hasDiskSpace }: PictureCacheOptions) {
  const runningEvictions = new Set<Promise<void>>()
  const removeFile = (name: string) => rm(join(dir, name), { force: true }).catch(() => undefined)
  const entryByFileName = new LRUCache<string, CachedPicture>({
    maxSize: maxBytes,
    // The size is at least 1, because the cache requires positive sizes.
    sizeCalculation: ({ bytes }) => Math.max(1, bytes),
    dispose: (_entry, fileName, disposeReason) => {
      if (disposeReason !== 'evict') return
      const eviction = removeFile(fileName).finally(() => runningEvictions.delete(eviction))
      runningEvictions.add(eviction)
    },
  })
  let indexPromise: Promise<void> | undefined

  const createFileName = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 40)

  async function indexFiles(): Promise<void> {
    await mkdir(dir, { recursive: true, mode: 0o700 }).catch(() => undefined)
    const fileNames = await readdir(dir).catch(() => [])
    const foundFiles: { name: string; bytes: number; usedMs: number }[] = []
    for (const fileName of fileNames) {
      if (!/^[0-9a-f]{40}$/.test(fileName)) {
        if (fileName.endsWith('.part')) await removeFile(fileName)
        continue
      }
      const fileStats = await stat(join(dir, fileName)).catch(() => undefined)
      if (fileStats?.isFile()) foundFiles.push({ name: fileName, bytes: fileStats.size, usedMs: fileStats.mtimeMs })
    }
    for (const { name, bytes, usedMs } of foundFiles.sort((a, b) => a.usedMs - b.usedMs)) {
      if (bytes > maxBytes) await removeFile(name)
      else entryByFileName.set(name, { bytes, touchedMs: usedMs })
    }
    await Promise.all(runningEvictions)
  }
  const waitUntilIndexed = () => {
    indexPromise ??= indexFiles()
    return indexPromise
  }

  return {
    async get(pictureKey: string): Promise<Buffer | undefined> {
      await waitUntilIndexed()
      const fileName = createFileName(pictureKey)
      const cacheEntry = entryByFileName.get(fileName)
      if (cacheEntry === undefined) return undefined
      const pictureBytes = await readFile(join(dir, fileName)).catch(() => undefined)
      // The entry is compared again after the read, because the picture may have been replaced or evicted during the read.
      if (entryByFileName.peek(fileName) !== cacheEntry) return pictureBytes
      if (pictureBytes === undefined || pictureBytes.length !== cacheEntry.bytes) {
        entryByFileName.delete(fileName)
        return undefined
      }
      if (nowMs() - cacheEntry.touchedMs > TOUCH_INTERVAL_MS) {
        cacheEntry.touchedMs = nowMs()
        await utimes(join(dir, fileName), new Date(cacheEntry.touchedMs), new Date(cacheEntry.touchedMs)).catch(() => undefined)
      }
      return pictureBytes
    },

    /** Stores a picture, if the disk has room for it. A failed write is ignored: the picture is then not cached. */
    async put(pictureKey: string, pictureBytes: Buffer): Promise<void> {
      await waitUntilIndexed()
      if (pictureBytes.length > maxBytes) return
      const fileName = createFileName(pictureKey)
      const temporaryPath = join(dir, `${randomUUID()}.part`)
      try {
        if (!(await hasSpace(dir, pictureBytes.length))) return
        await writeFile(temporaryPath, pictureBytes)
        await rename(temporaryPath, join(dir, fileName))
      } catch {
        await rm(temporaryPath, { force: true }).catch(() => undefined)
        return
      }
      entryByFileName.set(fileName, { bytes: pictureBytes.length, touchedMs: nowMs() })
      await Promise.all(runningEvictions)
    },

    async totalBytes(): Promise<number> {
      await waitUntilIndexed()
      return entryByFileName.calculatedSize
    },
  }
}
export type PictureCache = ReturnType<typeof createPictureCache>
