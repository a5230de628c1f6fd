import { SPILL_DIRECTORY, type SpillFile } from '../render-messages.ts'

/** Rendered segments on the disk, in full precision: what a second pass would have to render again. */
export interface Spill {
  /** Whether there was room. */
  keep(firstFrame: number, samples: Float32Array): boolean
  /** @throws where it was not kept */
  read(firstFrame: number, into: Float32Array): void
  close(): void
}

/** Undefined where there is no private file system, or no access to it: a spill saves time only. */
export async function openSpill({ name, maxBytes }: SpillFile): Promise<Spill | undefined> {
  let handle: FileSystemSyncAccessHandle
  try {
    const root = await navigator.storage.getDirectory()
    const directory = await root.getDirectoryHandle(SPILL_DIRECTORY, { create: true })
    handle = await (await directory.getFileHandle(name, { create: true })).createSyncAccessHandle()
  } catch {
    return undefined
  }
  const offsets = new Map<number, number>()
  let endBytes = 0
  let full = false
  return {
    keep(firstFrame, samples) {
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
    read(firstFrame, into) {
      const at = offsets.get(firstFrame)
      if (at === undefined || handle.read(into, { at }) < into.byteLength) throw new Error(`frame ${firstFrame} was not kept`)
    },
    close() {
      handle.close()
    },
  }
}
