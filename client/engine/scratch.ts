const FOLDER = 'maker-scratch'
const LOCK_PREFIX = 'maker-scratch/'
/** A worker that was ended lets go of its file a little later. */
const REMOVE_TRIES = 20
const REMOVE_PAUSE_MS = 50

/** A file on this device for as long as it is used: a decoded sound, a render. Nobody else sweeps it meanwhile. */
export interface ScratchFile {
  /** For `openScratch`, in a worker too. */
  readonly name: string
  readonly handle: FileSystemFileHandle
  /** Removes it. Resolves when it is gone, and never rejects: what stays is swept later. */
  dispose(): Promise<void>
}

const scratchFolder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true })

export const openScratch = async (name: string): Promise<FileSystemFileHandle> => (await scratchFolder()).getFileHandle(name)

/**
 * An empty file. A lock in its name lasts as long as the page does: by that others know that it is in use.
 *
 * @returns undefined where the browser keeps no files for the site
 */
export async function createScratch(): Promise<ScratchFile | undefined> {
  const name = crypto.randomUUID()
  let release = () => {}
  try {
    const folder = await scratchFolder()
    release = await holdLock(LOCK_PREFIX + name)
    const handle = await folder.getFileHandle(name, { create: true })
    return {
      name,
      handle,
      async dispose() {
        await removeSoon(folder, name)
        release()
      },
    }
  } catch {
    release()
    return undefined
  }
}

/** Removes what closed and crashed tabs left. */
export async function sweepScratch(): Promise<void> {
  try {
    const folder = await scratchFolder()
    // The iterator is not in every declaration of the interface.
    for await (const name of folder.keys()) {
      await navigator.locks.request(LOCK_PREFIX + name, { ifAvailable: true }, async (lock) => {
        if (lock !== null) await folder.removeEntry(name).catch(() => {})
      })
    }
  } catch {
    // Without files there is nothing to sweep.
  }
}

/** Resolves with what lets go of the lock. */
function holdLock(name: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    navigator.locks.request(name, () => new Promise<void>((release) => resolve(release))).catch(reject)
  })
}

async function removeSoon(folder: FileSystemDirectoryHandle, name: string) {
  for (let tries = 0; tries < REMOVE_TRIES; tries++) {
    try {
      return await folder.removeEntry(name)
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotFoundError') return
      await new Promise((resolve) => setTimeout(resolve, REMOVE_PAUSE_MS))
    }
  }
}
