import { createUniqueId } from '../primitives/unique-id.ts'

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

const openScratchFolder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle(SCRATCH_FOLDER, { create: true })

export const openScratchFile = async (name: string): Promise<FileSystemFileHandle> => (await openScratchFolder()).getFileHandle(name)

/**
 * Creates an empty scratch file. A Web Lock with the file's name is held until the file is disposed or the page is closed.
 *
 * @returns undefined if the browser has no private file system for the site
 */
export async function createScratchFile(): Promise<ScratchFile | undefined> {
  const fileName = createUniqueId()
  let releaseLock = () => {}
  try {
    const openingFolder = openScratchFolder()
    // Marks the rejection as handled, because the promise is awaited only after the lock is held.
    openingFolder.catch(() => {})
    releaseLock = await holdLock(LOCK_PREFIX + fileName)
    const scratchFolderHandle = await openingFolder
    const fileHandle = await scratchFolderHandle.getFileHandle(fileName, { create: true })
    return {
      name: fileName,
      handle: fileHandle,
      async dispose() {
        await removeWithRetries(scratchFolderHandle, fileName)
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
    const folder = await openScratchFolder()
    for await (const fileName of folder.keys()) {
      await navigator.locks.request(LOCK_PREFIX + fileName, { ifAvailable: true }, async (lock) => {
        if (lock !== null) await folder.removeEntry(fileName).catch(() => {})
      })
    }
  } catch {
    // Without a private file system there are no scratch files to remove.
  }
}

/** Acquires a lock and resolves with the function that releases it. */
function holdLock(lockName: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    navigator.locks.request(lockName, () => new Promise<void>((release) => resolve(release))).catch(reject)
  })
}

async function removeWithRetries(folder: FileSystemDirectoryHandle, fileName: string) {
  for (let attemptNumber = 0; attemptNumber < REMOVE_ATTEMPTS; attemptNumber++) {
    try {
      return await folder.removeEntry(fileName)
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotFoundError') return
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
    }
  }
}
