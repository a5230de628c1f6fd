import { createWorkerClient, startWorker } from '../worker-client.ts'
import type { ZipCalls } from '../workers/calls.ts'
import zipWorkerUrl from '../workers/zip-worker.ts?worker&url'
import { toComparableName } from './batch-names.ts'
import { type BatchRecord, type BatchStore, ZIP_FILE_NAME } from './batch-store.ts'

/** The destination of the files of a batch: a folder or a ZIP file. */
export interface BatchOutput {
  isTaken(name: string): Promise<boolean>
  createFile(name: string, maxBytes: number): Promise<OutputFile>
  /** Completes the output after its last file. */
  finish(): Promise<void>
  close(): Promise<void>
}

export interface OutputFile {
  readonly sink: WritableStream<Uint8Array<ArrayBuffer>>
  /** Completes the file. Called after the sink was closed. */
  complete(): Promise<Partial<BatchRecord>>
  /** Removes the file, complete or not. Several files are removed in the reverse order of their creation. */
  discard(): Promise<void>
}

/** Writes files into a folder that the person has chosen. A file appears in the folder with its content only when it is complete. */
export const createFolderOutput = (folder: FileSystemDirectoryHandle): BatchOutput => ({
  isTaken: (name) =>
    folder.getFileHandle(name).then(
      () => true,
      (error: unknown) => !isNotFound(error),
    ),
  async createFile(name) {
    const handle = await folder.getFileHandle(name, { create: true })
    const sink = await handle.createWritable()
    return {
      sink,
      complete: async () => ({}),
      async discard() {
        await sink.abort().catch(() => {})
        // Removes the empty file that the browser has created under the name.
        await folder.removeEntry(name).catch(() => {})
      },
    }
  },
  finish: async () => {},
  close: async () => {},
})

const isNotFound = (error: unknown) => error instanceof DOMException && error.name === 'NotFoundError'

/** Appends files to the ZIP file of the batch, in a worker. After each file, another page can continue the archive. */
export async function openZipOutput({ folderNames }: BatchStore, record: BatchRecord): Promise<BatchOutput> {
  let { zip } = record
  const worker = createWorkerClient<ZipCalls>(startWorker(zipWorkerUrl))
  try {
    await worker.call('open', { folderNames, fileName: ZIP_FILE_NAME, bytes: zip.endOffset })
  } catch (error) {
    worker.terminate()
    throw error
  }
  return {
    isTaken: async (name) => zip.entries.some((entry) => toComparableName(entry.name) === toComparableName(name)),
    async createFile(name, maxBytes) {
      const zipBefore = zip
      await worker.call('startEntry', { name, maxBytes, modifiedMs: Date.now() })
      return {
        sink: new WritableStream({
          write: (bytes) => worker.call('write', { bytes }, { transfer: [bytes.buffer] }),
        }),
        async complete() {
          const { entry, endOffset } = await worker.call('finishEntry', undefined)
          zip = { entries: [...zip.entries, entry], endOffset }
          return { zip }
        },
        async discard() {
          zip = zipBefore
          await worker.call('rewind', { endOffset: zip.endOffset }).catch(() => {})
        },
      }
    },
    async finish() {
      await worker.call('finish', { entries: zip.entries })
    },
    async close() {
      await worker.call('close', undefined).catch(() => {})
      worker.terminate()
    },
  }
}
