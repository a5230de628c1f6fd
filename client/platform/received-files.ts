import { RECEIVED_FILES } from '../../contract/caches.ts'
import { pickFile, RECEIVED_PATH, waitingHeaders, waitingName } from '../../contract/received-file.ts'

/** A file that was opened with the app or shared with it. It stays on this device. */
export interface ReceivedFile {
  name: string
  blob: Blob
}

/** Whoever goes to the maker takes it at once; after that it has to outlast a reload, as logging in may bring one. */
const TAKEN_WITHIN_MS = 3_000

/** Files as this page receives them, and as they wait in the cache. */
export function createReceivedFiles({ nowMs = Date.now, takenWithinMs = TAKEN_WITHIN_MS } = {}) {
  const listeners = new Set<(file: ReceivedFile) => void>()
  /** Not in the cache yet: a file that is opened is read where it lies. */
  let here: File | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let storing: Promise<void> | undefined

  async function store(file: File): Promise<void> {
    try {
      await (await caches.open(RECEIVED_FILES)).put(RECEIVED_PATH, new Response(file, { headers: waitingHeaders(file, nowMs()) }))
    } catch {
      // No room, or a browser that keeps nothing: it waits as long as this page.
    }
  }

  async function drop(): Promise<void> {
    if (!('caches' in globalThis)) return
    await (await caches.open(RECEIVED_FILES)).delete(RECEIVED_PATH).catch(() => false)
  }

  return {
    /** Files that were opened with the app: the first that is audio is kept, in place of one that waited. */
    async receive(handles: readonly FileSystemFileHandle[]): Promise<void> {
      const opened = await Promise.all(handles.map((handle) => handle.getFile().catch(() => undefined)))
      const file = pickFile(opened.filter((each) => each !== undefined))
      if (!file) return
      clearTimeout(timer)
      if (listeners.size > 0) {
        for (const listener of [...listeners]) listener({ name: file.name, blob: file })
        return
      }
      here = file
      timer = setTimeout(() => {
        storing = store(file)
      }, takenWithinMs)
    },

    /** The file that waits, once: the next to ask gets none. Never rejects. */
    async take(): Promise<ReceivedFile | undefined> {
      clearTimeout(timer)
      const file = here
      here = undefined
      try {
        await storing
        if (file) {
          await drop()
          return { name: file.name, blob: file }
        }
        const waiting = await (await caches.open(RECEIVED_FILES)).match(RECEIVED_PATH)
        const name = waiting && waitingName(waiting.headers, nowMs())
        const blob = name === undefined ? undefined : await waiting?.blob()
        if (waiting) await drop()
        return name !== undefined && blob ? { name, blob } : undefined
      } catch {
        return file && { name: file.name, blob: file }
      }
    },

    /** Hears of files that come while the maker is open; they do not wait. Returns the way to stop. */
    onReceived(listener: (file: ReceivedFile) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The page's own. */
const receivedFiles = createReceivedFiles()
export const receiveFiles = receivedFiles.receive
export const takeReceivedFile = receivedFiles.take
export const onReceivedFile = receivedFiles.onReceived
