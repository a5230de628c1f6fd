/** A file that is written from its beginning to its end. */
export interface FileOutput {
  /** Whether it becomes a Blob, which takes in other ones without a copy. */
  readonly inBlob: boolean
  /** Resolves once more can be taken. */
  write(bytes: Uint8Array<ArrayBuffer> | Blob): Promise<void>
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
    inBlob: false,
    async write(given) {
      const bytes = given instanceof Blob ? new Uint8Array(await given.arrayBuffer()) : given
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

function createBlobOutput(type: string): FileOutput {
  // Each part is handed to the browser at once, which has room for it outside the page's memory.
  let parts: Blob[] = []
  return {
    inBlob: true,
    async write(bytes) {
      parts.push(bytes instanceof Blob ? bytes : new Blob([bytes]))
    },
    async finish() {
      const file = new Blob(parts, { type })
      parts = []
      return { bytes: file.size, file }
    },
    abort() {
      parts = []
    },
  }
}
