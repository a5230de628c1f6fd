import { uniqueId } from '../primitives/unique-id.ts'

const SCRATCH_FOLDER = 'maker-scratch'
const LOCK_PREFIX = 'maker-scratch/'
/** A terminated worker releases its file with a delay, so that the removal is retried. */
const REMOVE_ATTEMPTS = 20
const RETRY_DELAY_MS = 50

/** A temporary file on this device, for a decoded sound or rendered segments. A lock keeps other tabs from removing the file. */
export interface ScratchFile {
  /** Argument of `openScratchFile`, which also works in a worker. */
  readonly name: string
  readonly handle: FileSystemFileHandle
  /** Removes the file. Never rejects: a file that cannot be removed is removed by a later visit. */
  dispose(): Promise<void>
}

const scratchFolder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle(SCRATCH_FOLDER, { create: true })

export const openScratchFile = async (name: string): Promise<FileSystemFileHandle> => (await scratchFolder()).getFileHandle(name)

/**
 * Creates an empty scratch file. A Web Lock with the file's name is held until the file is disposed or the page is closed.
 *
 * @returns undefined if the browser has no private file system for the site
 */
export async function createScratchFile(): Promise<ScratchFile | undefined> {
  const name = uniqueId()
  let releaseLock = () => {}
  try {
    const openingFolder = scratchFolder()
    // Marks the rejection as handled, because the promise is awaited only after the lock is held.
    openingFolder.catch(() => {})
    releaseLock = await holdLock(LOCK_PREFIX + name)
    const folder = await openingFolder
    const handle = await folder.getFileHandle(name, { create: true })
    return {
      name,
      handle,
      async dispose() {
        await removeWithRetries(folder, name)
        releaseLock()
      },
    }
  } catch {
    releaseLock()
    return undefined
  }
}

/** Removes the scratch files of closed and crashed tabs. */
export async function removeAbandonedScratchFiles(): Promise<void> {
  try {
    const folder = await scratchFolder()
    for await (const name of folder.keys()) {
      await navigator.locks.request(LOCK_PREFIX + name, { ifAvailable: true }, async (lock) => {
        if (lock !== null) await folder.removeEntry(name).catch(() => {})
      })
    }
  } catch {
    // Without a private file system there are no scratch files to remove.
  }
}

/** Acquires a lock and resolves with the function that releases it. */
function holdLock(name: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    navigator.locks.request(name, () => new Promise<void>((release) => resolve(release))).catch(reject)
  })
}

async function removeWithRetries(folder: FileSystemDirectoryHandle, name: string) {
  for (let attempt = 0; attempt < REMOVE_ATTEMPTS; attempt++) {
    try {
      return await folder.removeEntry(name)
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotFoundError') return
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
    }
  }
}
