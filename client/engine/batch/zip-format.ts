/** A file in a ZIP archive, stored without compression (PKWARE APPNOTE 6.3.10). */
export interface ZipEntry {
  readonly name: string
  readonly bytes: number
  /** The CRC-32 of the content. */
  readonly crc: number
  /** The offset of the entry's local header in the archive. */
  readonly offset: number
  readonly modifiedMs: number
  /** Whether the local header has fields for sizes of 4 GiB and more. */
  readonly isLarge: boolean
}

/** A field with this value means that the actual value is in a ZIP64 field. */
const SIZE_IN_ZIP64_FIELD = 0xffff_ffff
const ENTRY_COUNT_IN_ZIP64_FIELD = 0xffff
const ZIP64_FIELD_ID = 1
const ZIP_VERSION_NEEDED = 20
const ZIP64_VERSION_NEEDED = 45
/** Bit 11: the name is UTF-8. */
const UTF8_NAME_FLAG = 0x0800

/** Whether a file of up to `bytes` bytes may need a large entry. The margin allows for tags, which size estimates leave out. */
export const needsLargeEntry = (bytes: number): boolean => bytes > 0xf000_0000

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1
  return value
})

/** Continues a CRC-32. The CRC-32 of no bytes is 0. */
export function updateCrc(previousCrc: number, bytes: Uint8Array): number {
  let crcValue = ~previousCrc
  // This loop uses indices, because `for … of` takes several times as long.
  for (let index = 0; index < bytes.length; index++) crcValue = (CRC_TABLE[(crcValue ^ (bytes[index] ?? 0)) & 0xff] ?? 0) ^ (crcValue >>> 8)
  return ~crcValue >>> 0
}

/**
 * Returns the local header of an entry. Its length depends on the name and `isLarge` only, so that it can be written again with the final
 * sizes.
 */
export function createZipLocalHeader(entry: ZipEntry): Uint8Array<ArrayBuffer> {
  const { bytes, isLarge } = entry
  const extraField = isLarge ? encodeZip64Field([bytes, bytes]) : new Uint8Array()
  const sizeField = isLarge ? SIZE_IN_ZIP64_FIELD : bytes
  return concatBytes([
    encodeU32(0x0403_4b50),
    encodeU16(isLarge ? ZIP64_VERSION_NEEDED : ZIP_VERSION_NEEDED),
    encodeCommonFields(entry, sizeField),
    encodeU16(encodeName(entry).length),
    encodeU16(extraField.length),
    encodeName(entry),
    extraField,
  ])
}

/** Returns the end of an archive, which lists its entries. @param directoryOffset the offset of the returned bytes in the archive */
export function createZipCentralDirectory(zipEntries: readonly ZipEntry[], directoryOffset: number): Uint8Array<ArrayBuffer> {
  const directoryRecords = concatBytes(zipEntries.map(encodeDirectoryRecord))
  const isZip64 =
    zipEntries.length >= ENTRY_COUNT_IN_ZIP64_FIELD ||
    directoryOffset >= SIZE_IN_ZIP64_FIELD ||
    directoryRecords.length >= SIZE_IN_ZIP64_FIELD
  const recordsEndOffset = directoryOffset + directoryRecords.length
  const zip64End = isZip64
    ? concatBytes([
        encodeU32(0x0606_4b50),
        encodeU64(44),
        encodeU16(ZIP64_VERSION_NEEDED),
        encodeU16(ZIP64_VERSION_NEEDED),
        encodeU32(0),
        encodeU32(0),
        encodeU64(zipEntries.length),
        encodeU64(zipEntries.length),
        encodeU64(directoryRecords.length),
        encodeU64(directoryOffset),
        // The locator of the ZIP64 end record.
        encodeU32(0x0706_4b50),
        encodeU32(0),
        encodeU64(recordsEndOffset),
        encodeU32(1),
      ])
    : new Uint8Array()
  const entryCount = encodeU16(Math.min(ENTRY_COUNT_IN_ZIP64_FIELD, zipEntries.length))
  return concatBytes([
    directoryRecords,
    zip64End,
    encodeU32(0x0605_4b50),
    encodeU16(0),
    encodeU16(0),
    entryCount,
    entryCount,
    encodeU32(Math.min(SIZE_IN_ZIP64_FIELD, directoryRecords.length)),
    encodeU32(Math.min(SIZE_IN_ZIP64_FIELD, directoryOffset)),
    encodeU16(0),
  ])
}

function encodeDirectoryRecord(entry: ZipEntry): Uint8Array {
  const { bytes, offset, isLarge } = entry
  const zip64Values = [...(isLarge ? [bytes, bytes] : []), ...(offset >= SIZE_IN_ZIP64_FIELD ? [offset] : [])]
  const extraField = zip64Values.length > 0 ? encodeZip64Field(zip64Values) : new Uint8Array()
  const versionBytes = encodeU16(zip64Values.length > 0 ? ZIP64_VERSION_NEEDED : ZIP_VERSION_NEEDED)
  const nameBytes = encodeName(entry)
  return concatBytes([
    encodeU32(0x0201_4b50),
    versionBytes,
    versionBytes,
    encodeCommonFields(entry, isLarge ? SIZE_IN_ZIP64_FIELD : bytes),
    encodeU16(nameBytes.length),
    encodeU16(extraField.length),
    encodeU16(0),
    encodeU16(0),
    encodeU16(0),
    encodeU32(0),
    encodeU32(Math.min(SIZE_IN_ZIP64_FIELD, offset)),
    nameBytes,
    extraField,
  ])
}

/** The fields that local headers and the directory have in common: flags, method (stored), time, checksum and sizes. */
const encodeCommonFields = ({ crc, modifiedMs }: ZipEntry, size: number) =>
  concatBytes([
    encodeU16(UTF8_NAME_FLAG),
    encodeU16(0),
    encodeDosTime(new Date(modifiedMs)),
    encodeU32(crc),
    encodeU32(size),
    encodeU32(size),
  ])

const encodeZip64Field = (values: readonly number[]) =>
  concatBytes([encodeU16(ZIP64_FIELD_ID), encodeU16(8 * values.length), ...values.map(encodeU64)])

const encodeDosTime = (date: Date) =>
  concatBytes([
    encodeU16((date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1)),
    encodeU16((Math.max(0, date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate()),
  ])

const encodeName = ({ name }: ZipEntry) => new TextEncoder().encode(name)
const encodeU16 = (value: number) => Uint8Array.of(value, value >>> 8)
const encodeU32 = (value: number) => Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24)
const encodeU64 = (value: number) => concatBytes([encodeU32(value % 2 ** 32), encodeU32(Math.floor(value / 2 ** 32))])

function concatBytes(byteArrays: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joinedBytes = new Uint8Array(byteArrays.reduce((sum, part) => sum + part.length, 0))
  let totalBytes = 0
  for (const part of byteArrays) {
    joinedBytes.set(part, totalBytes)
    totalBytes += part.length
  }
  return joinedBytes
}
