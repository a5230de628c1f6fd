/** A file that is written from its beginning to its end. */
export interface FileOutput {
  /** Resolves once more can be taken. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>
  finish(): Promise<{ readonly bytes: number; readonly file: Blob | undefined }>
  /** Gives the file up. */
  abort(reason: unknown): void
}

/** Into a sink, which is closed at the end, or without one into a Blob. */
export function createFileOutput(type: string, sink: WritableStream<Uint8Array<ArrayBuffer>> | undefined): FileOutput {
  return sink === undefined ? createBlobOutput(type) : createSinkOutput(sink)
}

function createSinkOutput(sink: WritableStream<Uint8Array<ArrayBuffer>>): FileOutput {
  const writer = sink.getWriter()
  // Told by the write that meets it.
  writer.closed.catch(() => {})
  let size = 0
  return {
    async write(bytes) {
      size += bytes.byteLength
      await writer.write(bytes)
    },
    async finish() {
      await writer.close()
      return { bytes: size, file: undefined }
    },
    abort(reason) {
      writer.abort(reason).catch(() => {})
    },
  }
}

/** What is handed to the browser at once: in small pieces that takes several times as long, a large one holds up the page. */
const PART_BYTES = 2 ** 22

function createBlobOutput(type: string): FileOutput {
  // The browser has room for the parts outside the page's memory.
  let parts: Blob[] = []
  let waiting: Uint8Array<ArrayBuffer>[] = []
  let waitingBytes = 0
  function handOver() {
    parts.push(new Blob(waiting))
    waiting = []
    waitingBytes = 0
  }
  return {
    async write(bytes) {
      waiting.push(bytes)
      waitingBytes += bytes.byteLength
      if (waitingBytes >= PART_BYTES) handOver()
    },
    async finish() {
      handOver()
      const file = new Blob(parts, { type })
      parts = []
      return { bytes: file.size, file }
    },
    abort() {
      parts = []
      waiting = []
    },
  }
}
