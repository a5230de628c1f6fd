/**
 * A pack is one file with all files that the service worker precaches, so that a first installation needs one request. It consists of the byte
 * length of its index (32 bits, little-endian), the index as JSON, and the bytes of the files in the order of the index.
 */
export interface PackedFile {
  /** The file's path relative to the build's folder. */
  path: string
  bytes: Uint8Array<ArrayBuffer>
}

const LENGTH_FIELD_BYTES = 4

/** Returns the bytes of a pack of `files`. */
export function packFiles(files: readonly PackedFile[]): Uint8Array<ArrayBuffer> {
  const index = new TextEncoder().encode(JSON.stringify(files.map(({ path, bytes }) => [path, bytes.length])))
  const packBytes = new Uint8Array(LENGTH_FIELD_BYTES + index.length + files.reduce((length, { bytes }) => length + bytes.length, 0))
  new DataView(packBytes.buffer).setUint32(0, index.length, true)
  let byteOffset = LENGTH_FIELD_BYTES
  for (const bytes of [index, ...files.map((file) => file.bytes)]) {
    packBytes.set(bytes, byteOffset)
    byteOffset += bytes.length
  }
  return packBytes
}

/** Returns the files of a pack. @throws if `packBytes` is no pack or is truncated */
export function unpackFiles(packBytes: Uint8Array<ArrayBuffer>): PackedFile[] {
  const indexEnd = LENGTH_FIELD_BYTES + new DataView(packBytes.buffer, packBytes.byteOffset).getUint32(0, true)
  const index: unknown = JSON.parse(new TextDecoder().decode(packBytes.subarray(LENGTH_FIELD_BYTES, indexEnd)))
  if (!Array.isArray(index)) throw new TypeError('The index of the pack is not a list.')
  let byteOffset = indexEnd
  const packedFiles = index.map(([filePath, byteLength]: [string, number]) => {
    const bytes = packBytes.subarray(byteOffset, byteOffset + byteLength)
    byteOffset += byteLength
    return { path: filePath, bytes }
  })
  if (byteOffset !== packBytes.length) throw new RangeError(`The pack has ${packBytes.length} bytes instead of ${byteOffset}.`)
  return packedFiles
}
