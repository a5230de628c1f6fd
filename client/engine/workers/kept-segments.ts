import type { KeepPlace } from '../render-messages.ts'
import { openScratch } from '../scratch.ts'

/** Rendered segments in full precision, which a second pass would have to render again. */
export interface KeptSegments {
  /** Whether there was room. */
  keep(firstFrame: number, samples: Float32Array): boolean
  /** Gives a segment, once. @throws where it was not kept */
  take(firstFrame: number, into: Float32Array): void
  close(): void
}

/** In memory first, and on the disk what has no room there. */
export async function createKeptSegments({ memoryBytes, file }: KeepPlace): Promise<KeptSegments> {
  const inMemory = new Map<number, Float32Array>()
  let freeBytes = memoryBytes
  const spill = file && (await openSpill(file.name, file.maxBytes))
  return {
    keep(firstFrame, samples) {
      if (samples.byteLength > freeBytes) return spill?.keep(firstFrame, samples) === true
      inMemory.set(firstFrame, new Float32Array(samples))
      freeBytes -= samples.byteLength
      return true
    },
    take(firstFrame, into) {
      const samples = inMemory.get(firstFrame)
      if (samples !== undefined) {
        into.set(samples)
        inMemory.delete(firstFrame)
      } else if (spill?.take(firstFrame, into) !== true) throw new Error(`frame ${firstFrame} was not kept`)
    },
    close() {
      inMemory.clear()
      spill?.close()
    },
  }
}

/** Undefined where there is no private file system, or no access to it: to keep segments saves time only. */
async function openSpill(name: string, maxBytes: number) {
  let handle: FileSystemSyncAccessHandle
  try {
    handle = await (await openScratch(name)).createSyncAccessHandle()
  } catch {
    return undefined
  }
  const offsets = new Map<number, number>()
  let endBytes = 0
  let full = false
  return {
    keep(firstFrame: number, samples: Float32Array): boolean {
      if (full || endBytes + samples.byteLength > maxBytes) return false
      try {
        // A full disk is told by an error, or by fewer bytes than there were.
        full = handle.write(samples, { at: endBytes }) < samples.byteLength
      } catch {
        full = true
      }
      if (full) return false
      offsets.set(firstFrame, endBytes)
      endBytes += samples.byteLength
      return true
    },
    take(firstFrame: number, into: Float32Array): boolean {
      const at = offsets.get(firstFrame)
      return at !== undefined && handle.read(into, { at }) === into.byteLength
    },
    close() {
      handle.close()
    },
  }
}
