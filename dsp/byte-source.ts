/** Random access to the bytes of a file: a Blob in the page, an open file on the server. */
export interface ByteSource {
  readonly sizeBytes: number
  /** Reads the bytes from `start` up to `end`; fewer if the file ends before. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>
}

/** Returns a source that reads from an array without copying its bytes. */
export const createArraySource = (bytes: Uint8Array<ArrayBuffer>): ByteSource => ({
  sizeBytes: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
})

/** Returns `length` bytes as text, one character for each byte. */
export const readAsciiAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

/** Concatenates byte arrays. */
export function joinBytes(byteArrays: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joinedBytes = new Uint8Array(byteArrays.reduce((bytes, part) => bytes + part.length, 0))
  let byteOffset = 0
  for (const part of byteArrays) {
    joinedBytes.set(part, byteOffset)
    byteOffset += part.length
  }
  return joinedBytes
}
