import type { ScratchFile } from './scratch.ts'

/** A file that is written sequentially. */
export interface FileOutput {
  /** Writes bytes, whose buffer may be transferred. Resolves when more can be written. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>
  finish(): Promise<{ readonly bytes: number; readonly file: Blob | undefined }>
  abort(reason: unknown): void
}

/**
 * A file on the disk into which one export is written. A Blob would be copied to the browser's main process, which would hold it in memory.
 */
export interface DiskFile {
  /** Starts the file from its beginning. The previous output must have been aborted. */
  createOutput(mimeType: string): FileOutput
  /** Stops writing and returns the file. The caller disposes it when the export is no longer needed. */
  release(): ScratchFile
}

/** Writes an export to a sink, which `finish` closes; without a sink to a file on the disk; without such a file to a Blob. */
export interface OutputTarget {
  readonly sink: WritableStream<Uint8Array<ArrayBuffer>> | undefined
  readonly diskFile: Promise<DiskFile | undefined> | undefined
}

export function createFileOutput(mimeType: string, { sink, diskFile }: OutputTarget): FileOutput {
  if (sink !== undefined) return createSinkOutput(sink)
  if (diskFile === undefined) return createBlobOutput(mimeType)
  return createDeferredOutput(diskFile.then((file) => file?.createOutput(mimeType) ?? createBlobOutput(mimeType)))
}

/** Waits for `promisedOutput` in the first write, so that rendering starts while the file is created. */
function createDeferredOutput(promisedOutput: Promise<FileOutput>): FileOutput {
  return {
    write: async (bytes) => (await promisedOutput).write(bytes),
    finish: async () => (await promisedOutput).finish(),
    abort(reason) {
      promisedOutput.then((output) => output.abort(reason)).catch(() => {})
    },
  }
}

function createSinkOutput(sink: WritableStream<Uint8Array<ArrayBuffer>>): FileOutput {
  const writer = sink.getWriter()
  // The rejection is handled here, because the next write reports the error.
  writer.closed.catch(() => {})
  let writtenBytes = 0
  return {
    async write(bytes) {
      writtenBytes += bytes.byteLength
      await writer.write(bytes)
    },
    async finish() {
      await writer.close()
      return { bytes: writtenBytes, file: undefined }
    },
    abort(reason) {
      writer.abort(reason).catch(() => {})
    },
  }
}

/**
 * The number of bytes that are moved to the browser's Blob storage at a time: smaller blocks take several times as long, larger ones block the page.
 */
const BLOB_BLOCK_BYTES = 2 ** 22

function createBlobOutput(mimeType: string): FileOutput {
  // Written bytes are moved into Blobs, which are stored outside of the page's memory.
  let fileBlocks: Blob[] = []
  let bufferedChunks: Uint8Array<ArrayBuffer>[] = []
  let bufferedBytes = 0
  function moveToBlob() {
    fileBlocks.push(new Blob(bufferedChunks))
    bufferedChunks = []
    bufferedBytes = 0
  }
  return {
    async write(bytes) {
      bufferedChunks.push(bytes)
      bufferedBytes += bytes.byteLength
      if (bufferedBytes >= BLOB_BLOCK_BYTES) moveToBlob()
    },
    async finish() {
      moveToBlob()
      const file = new Blob(fileBlocks, { type: mimeType })
      fileBlocks = []
      return { bytes: file.size, file }
    },
    abort() {
      fileBlocks = []
      bufferedChunks = []
    },
  }
}
