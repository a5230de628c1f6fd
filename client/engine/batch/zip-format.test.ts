import { expect, it } from 'vitest'
import { createZipCentralDirectory, createZipLocalHeader, updateCrc, type ZipEntry } from './zip-format.ts'

const LARGE_SIZE_BYTES = 2 ** 32 + 5000
const zipEntry: ZipEntry = { name: 'a.wav', bytes: 10, crc: 0xcbf4_3926, offset: 0, modifiedMs: 0, isLarge: false }
const createView = (bytes: Uint8Array<ArrayBuffer>) => new DataView(bytes.buffer)

it('updateCrc: returns the check value of CRC-32, also if the bytes arrive in parts', () => {
  const digits = new TextEncoder().encode('123456789')
  expect(updateCrc(0, digits)).toBe(0xcbf4_3926)
  expect(updateCrc(updateCrc(0, digits.subarray(0, 4)), digits.subarray(4))).toBe(0xcbf4_3926)
})

it('createZipLocalHeader: the length of the header does not depend on the sizes, and a large entry has its sizes in the ZIP64 field', () => {
  const largeEntry = { ...zipEntry, isLarge: true, bytes: LARGE_SIZE_BYTES }
  expect(createZipLocalHeader({ ...largeEntry, bytes: 0 })).toHaveLength(createZipLocalHeader(largeEntry).length)
  const view = createView(createZipLocalHeader(largeEntry))
  expect(view.getUint32(18, true)).toBe(0xffff_ffff)
  expect(view.getBigUint64(30 + zipEntry.name.length + 4, true)).toBe(BigInt(LARGE_SIZE_BYTES))
})

it('createZipCentralDirectory: an archive of more than 4 GiB ends with a ZIP64 record of its offset', () => {
  const directoryBytes = createZipCentralDirectory(
    [zipEntry, { ...zipEntry, name: 'b.wav', offset: LARGE_SIZE_BYTES }],
    LARGE_SIZE_BYTES + 100,
  )
  const view = createView(directoryBytes)
  const endRecordOffset = directoryBytes.length - 22
  expect(view.getUint32(endRecordOffset + 16, true)).toBe(0xffff_ffff)
  const zip64End = Number(view.getBigUint64(endRecordOffset - 20 + 8, true)) - (LARGE_SIZE_BYTES + 100)
  expect(view.getUint32(zip64End, true)).toBe(0x0606_4b50)
  expect(view.getBigUint64(zip64End + 48, true)).toBe(BigInt(LARGE_SIZE_BYTES + 100))
  expect(view.getBigUint64(zip64End + 32, true)).toBe(2n)
})

it('createZipCentralDirectory: a small archive has no ZIP64 record', () => {
  expect(createZipCentralDirectory([zipEntry], 100)).toHaveLength(46 + zipEntry.name.length + 22)
})
