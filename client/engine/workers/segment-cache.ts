import { openScratchFile } from '../scratch.ts'
import type { CacheLimits } from './calls.ts'

/** Caches rendered segments in full precision, so that a second pass over the sound does not render them again. */
export interface SegmentCache {
  /** Returns false if there is no room for the segment. */
  store(firstFrame: number, samples: Float32Array): boolean
  /**
   * Copies a segment to `target`. A segment can be taken once.
   *
   * @throws if the segment is not in the cache
   */
  take(firstFrame: number, target: Float32Array): void
  close(): void
}

/** Stores a segment in memory, or in the file if the memory is full. */
export async function createSegmentCache({ memoryBytes, file }: CacheLimits): Promise<SegmentCache> {
  const samplesByFirstFrame = new Map<number, Float32Array>()
  let freeBytes = memoryBytes
  const fileCache = file && (await openFileCache(file.name, file.maxBytes))
  return {
    store(firstFrame, samples) {
      if (samples.byteLength > freeBytes) return fileCache?.store(firstFrame, samples) === true
      samplesByFirstFrame.set(firstFrame, new Float32Array(samples))
      freeBytes -= samples.byteLength
      return true
    },
    take(firstFrame, targetSamples) {
      const cachedSamples = samplesByFirstFrame.get(firstFrame)
      if (cachedSamples !== undefined) {
        targetSamples.set(cachedSamples)
        samplesByFirstFrame.delete(firstFrame)
      } else if (fileCache?.take(firstFrame, targetSamples) !== true) throw new Error(`the segment at frame ${firstFrame} is not cached`)
    },
    close() {
      samplesByFirstFrame.clear()
      fileCache?.close()
    },
  }
}

/**
 * Returns undefined if the browser has no private file system or refuses access. The segments are then not cached, which only costs time.
 */
async function openFileCache(fileName: string, maxBytes: number) {
  let handle: FileSystemSyncAccessHandle
  try {
    handle = await (await openScratchFile(fileName)).createSyncAccessHandle()
  } catch {
    return undefined
  }
  const byteOffsetByFirstFrame = new Map<number, number>()
  let writtenBytes = 0
  let isCacheFull = false
  return {
    store(firstFrame: number, samples: Float32Array): boolean {
      if (isCacheFull || writtenBytes + samples.byteLength > maxBytes) return false
      try {
        // A full disk is reported by an error or by a smaller number of bytes written.
        isCacheFull = handle.write(samples, { at: writtenBytes }) < samples.byteLength
      } catch {
        isCacheFull = true
      }
      if (isCacheFull) return false
      byteOffsetByFirstFrame.set(firstFrame, writtenBytes)
      writtenBytes += samples.byteLength
      return true
    },
    take(firstFrame: number, targetSamples: Float32Array): boolean {
      const at = byteOffsetByFirstFrame.get(firstFrame)
      return at !== undefined && handle.read(targetSamples, { at }) === targetSamples.byteLength
    },
    close() {
      handle.close()
    },
  }
}
