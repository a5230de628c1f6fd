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

function createScratchTarget(file: FileSystemSyncAccessHandle): FileTarget {
  return {
    target: toTarget(({ data, position }) => {
      // Some browsers report a full disk only by the number of bytes written.
      if (file.write(data, { at: position }) !== data.byteLength) throw new DOMException('the disk is full', 'QuotaExceededError')
    }),
    async finish() {
      const bytes = file.getSize()
      file.close()
      return { bytes, file: undefined }
    },
    async abort() {
      file.close()
    },
  }
}

function createHandleTarget(writable: FileSystemWritableFileStream): FileTarget {
  let bytes = 0
  return {
    target: toTarget(async ({ data, position }) => {
      await writable.write({ type: 'write', data, position })
      bytes = Math.max(bytes, position + data.byteLength)
    }),
    async finish() {
      await writable.close()
      return { bytes, file: undefined }
    },
    abort: () => writable.abort(),
  }
}

/** Holds the file in blocks, because its beginning is written last. */
function createMemoryTarget(mimeType: string): FileTarget {
  const blocks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  return {
    target: toTarget(({ data, position }) => {
      for (let writtenBytes = 0; writtenBytes < data.byteLength; ) {
        const index = Math.floor((position + writtenBytes) / CHUNK_BYTES)
        const offset = (position + writtenBytes) % CHUNK_BYTES
        const length = Math.min(CHUNK_BYTES - offset, data.byteLength - writtenBytes)
        blocks[index] ??= new Uint8Array(CHUNK_BYTES)
        blocks[index].set(data.subarray(writtenBytes, writtenBytes + length), offset)
        writtenBytes += length
      }
      bytes = Math.max(bytes, position + data.byteLength)
    }),
    async finish() {
      const file = new Blob(blocks, { type: mimeType })
      return { bytes, file: file.slice(0, bytes, mimeType) }
    },
    async abort() {
      blocks.length = 0
    },
  }
}
