import { StreamTarget, type StreamTargetChunk } from 'mediabunny'
import { openScratchFile } from '../scratch.ts'
import type { VideoDestination } from './calls.ts'

export interface FileTarget {
  readonly target: StreamTarget
  /**
   * Completes the file.
   *
   * @returns the size of the file in bytes, and the file if it is in memory
   */
  finish(): Promise<{ readonly bytes: number; readonly file: Blob | undefined }>
  abort(): Promise<void>
}

/** The number of bytes that are written at a time, and the size of a block of a file in memory. */
const CHUNK_BYTES = 2 ** 22

export async function openFileTarget(destination: VideoDestination, mimeType: string): Promise<FileTarget> {
  switch (destination.kind) {
    case 'scratch':
      return createScratchTarget(await (await openScratchFile(destination.scratchName)).createSyncAccessHandle())
    case 'handle':
      return createHandleTarget(await destination.handle.createWritable())
    case 'memory':
      return createMemoryTarget(mimeType)
  }
}

const toTarget = (write: (chunk: StreamTargetChunk) => void | Promise<void>) =>
  new StreamTarget(new WritableStream({ write }), { chunked: true, chunkSize: CHUNK_BYTES })

function createScratchTarget(fileHandle: FileSystemSyncAccessHandle): FileTarget {
  return {
    target: toTarget(({ data, position }) => {
      // Some browsers report a full disk only by the number of bytes written.
      if (fileHandle.write(data, { at: position }) !== data.byteLength) throw new DOMException('the disk is full', 'QuotaExceededError')
    }),
    async finish() {
      const bytes = fileHandle.getSize()
      fileHandle.close()
      return { bytes, file: undefined }
    },
    async abort() {
      fileHandle.close()
    },
  }
}

function createHandleTarget(writable: FileSystemWritableFileStream): FileTarget {
  let fileBytes = 0
  return {
    target: toTarget(async ({ data, position }) => {
      await writable.write({ type: 'write', data, position })
      fileBytes = Math.max(fileBytes, position + data.byteLength)
    }),
    async finish() {
      await writable.close()
      return { bytes: fileBytes, file: undefined }
    },
    abort: () => writable.abort(),
  }
}

/** Holds the file in blocks, because its beginning is written last. */
function createMemoryTarget(mimeType: string): FileTarget {
  const writtenBlocks: Uint8Array<ArrayBuffer>[] = []
  let fileBytes = 0
  return {
    target: toTarget(({ data, position }) => {
      for (let writtenBytes = 0; writtenBytes < data.byteLength; ) {
        const blockIndex = Math.floor((position + writtenBytes) / CHUNK_BYTES)
        const chunkOffset = (position + writtenBytes) % CHUNK_BYTES
        const copiedBytes = Math.min(CHUNK_BYTES - chunkOffset, data.byteLength - writtenBytes)
        writtenBlocks[blockIndex] ??= new Uint8Array(CHUNK_BYTES)
        writtenBlocks[blockIndex].set(data.subarray(writtenBytes, writtenBytes + copiedBytes), chunkOffset)
        writtenBytes += copiedBytes
      }
      fileBytes = Math.max(fileBytes, position + data.byteLength)
    }),
    async finish() {
      const file = new Blob(writtenBlocks, { type: mimeType })
      return { bytes: fileBytes, file: file.slice(0, fileBytes, mimeType) }
    },
    async abort() {
      writtenBlocks.length = 0
    },
  }
}
