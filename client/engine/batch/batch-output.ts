import { createWorkerClient, startWorker } from '../worker-client.ts'
import type { ZipCalls } from '../workers/calls.ts'
import zipWorkerUrl from '../workers/zip-worker.ts?worker&url'
import { toComparableName } from './batch-names.ts'
import { type BatchRecord, type BatchStore, ZIP_FILE_NAME } from './batch-store.ts'

/** The destination of the files of a batch: a folder or a ZIP file. */
export interface BatchOutput {
  /** Returns whether a file or folder has this name. @throws FileNameRefused */
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

/** Thrown if the folder does not allow any file to have this name. */
export class FileNameRefused extends Error {
  override readonly name = 'FileNameRefused'
  constructor(fileName: string) {
    super(`The folder does not allow the file name “${fileName}”.`)
  }
}

/** Writes files into a folder that the person has chosen. A file appears in the folder with its content only when it is complete. */
export const createFolderOutput = (folder: FileSystemDirectoryHandle): BatchOutput => ({
  isTaken: (fileName) =>
    folder.getFileHandle(fileName).then(
      () => true,
      (error: unknown) => {
        if (error instanceof TypeError) throw new FileNameRefused(fileName)
        if (hasName(error, 'TypeMismatchError')) return true
        if (hasName(error, 'NotFoundError')) return false
        throw error
      },
    ),
  async createFile(fileName) {
    const fileHandle = await folder.getFileHandle(fileName, { create: true })
    const fileSink = await fileHandle.createWritable()
    return {
      sink: fileSink,
      complete: async () => ({}),
      async discard() {
        await fileSink.abort().catch(() => {})
        // Removes the empty file that the browser has created under the name.
        await folder.removeEntry(fileName).catch(() => {})
      },
    }
  },
  finish: async () => {},
  close: async () => {},
})

const hasName = (error: unknown, name: string) => error instanceof DOMException && error.name === name

/** Appends files to the ZIP file of the batch, in a worker. After each file, another page can continue the archive. */
export async function openZipOutput({ folderNames }: BatchStore, record: BatchRecord): Promise<BatchOutput> {
  let { zip } = record
  const zipWorker = createWorkerClient<ZipCalls>(startWorker(zipWorkerUrl))
  try {
    await zipWorker.call('open', { folderNames, fileName: ZIP_FILE_NAME, bytes: zip.endOffset })
  } catch (error) {
    zipWorker.terminate()
    throw error
  }
  return {
    isTaken: async (name) => zip.entries.some((entry) => toComparableName(entry.name) === toComparableName(name)),
    async createFile(fileName, maxBytes) {
      const zipBeforeFile = zip
      await zipWorker.call('startEntry', { name: fileName, maxBytes, modifiedMs: Date.now() })
      return {
        sink: new WritableStream({
          write: (bytes) => zipWorker.call('write', { bytes }, { transfer: [bytes.buffer] }),
        }),
        async complete() {
          const { entry, endOffset } = await zipWorker.call('finishEntry', undefined)
          zip = { entries: [...zip.entries, entry], endOffset }
          return { zip }
        },
        async discard() {
          zip = zipBeforeFile
          await zipWorker.call('rewind', { endOffset: zip.endOffset }).catch(() => {})
        },
      }
    },
    async finish() {
      await zipWorker.call('finish', { entries: zip.entries })
    },
    async close() {
      await zipWorker.call('close', undefined).catch(() => {})
      zipWorker.terminate()
    },
  }
}
