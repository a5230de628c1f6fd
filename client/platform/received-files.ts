import { RECEIVED_FILES_CACHE } from '../../contract/caches.ts'
import { createReceivedFileHeaders, pickReceivedFile, RECEIVED_FILE_KEY, readReceivedFileName } from '../../contract/received-file.ts'
import { createEmitter } from '../primitives/emitter.ts'
import { startTimeout } from '../primitives/scope.ts'

/** A file that the operating system opened with the app or shared with the app. It is not uploaded. */
export interface ReceivedFile {
  name: string
  blob: Blob
}

/**
 * The time in milliseconds after which a received file is cached if the maker has not taken it, for example because the person must log in
 * first. A cached file survives a reload.
 */
const CACHE_UNTAKEN_AFTER_MS = 3_000

/** Passes received files to the maker. A file waits in memory first, then in the cache, until the maker takes it. */
export function createReceivedFiles({ nowMs = Date.now, takenWithinMs = CACHE_UNTAKEN_AFTER_MS } = {}) {
  const fileReceived = createEmitter<ReceivedFile>()
  /** The file that waits in memory and is not cached yet. */
  let uncachedFile: File | undefined
  let cancelStoring = () => {}
  let storePromise: Promise<void> | undefined

  async function storeFile(file: File): Promise<void> {
    try {
      await (await caches.open(RECEIVED_FILES_CACHE)).put(
        RECEIVED_FILE_KEY,
        new Response(file, { headers: createReceivedFileHeaders(file, nowMs()) }),
      )
    } catch {
      // If the quota is exceeded or storage is denied, the file is lost with this page.
    }
  }

  async function removeCachedFile(): Promise<void> {
    if (!('caches' in globalThis)) return
    await (await caches.open(RECEIVED_FILES_CACHE)).delete(RECEIVED_FILE_KEY).catch(() => false)
  }

  function receiveFile(file: File): void {
    cancelStoring()
    if (fileReceived.listenerCount > 0) {
      fileReceived.emit({ name: file.name, blob: file })
      return
    }
    uncachedFile = file
    cancelStoring = startTimeout(() => {
      storePromise = storeFile(file)
    }, takenWithinMs)
  }

  return {
    /** Receives files that were opened with the app. The first audio file replaces a waiting file. */
    async receive(handles: readonly FileSystemFileHandle[]): Promise<void> {
      const openedFiles = await Promise.all(handles.map((handle) => handle.getFile().catch(() => undefined)))
      const file = pickReceivedFile(openedFiles.filter((each) => each !== undefined))
      if (file) receiveFile(file)
    },

    /** Receives a file from another page of the site. It replaces a waiting file. */
    receiveFile,

    /** Returns the waiting file and removes it. Never rejects. */
    async take(): Promise<ReceivedFile | undefined> {
      cancelStoring()
      const takenFile = uncachedFile
      uncachedFile = undefined
      try {
        await storePromise
        if (takenFile) {
          await removeCachedFile()
          return { name: takenFile.name, blob: takenFile }
        }
        const cachedResponse = await (await caches.open(RECEIVED_FILES_CACHE)).match(RECEIVED_FILE_KEY)
        const fileName = cachedResponse && readReceivedFileName(cachedResponse.headers, nowMs())
        const blob = fileName === undefined ? undefined : await cachedResponse?.blob()
        if (cachedResponse) await removeCachedFile()
        return fileName !== undefined && blob ? { name: fileName, blob } : undefined
      } catch {
        return takenFile && { name: takenFile.name, blob: takenFile }
      }
    },

    /**
     * Calls `listener` immediately with each file that is received from now on, so that files do not wait. Returns the function that unsubscribes.
     */
    onReceived: fileReceived.subscribe,
  }
}

/** The files that this page receives, from the operating system or other apps. */
const receivedFiles = createReceivedFiles()
export const receiveFiles = receivedFiles.receive
export const receiveFile = receivedFiles.receiveFile
export const takeReceivedFile = receivedFiles.take
export const onReceivedFile = receivedFiles.onReceived
