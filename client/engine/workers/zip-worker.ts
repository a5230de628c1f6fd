import { createZipCentralDirectory, createZipLocalHeader, needsLargeEntry, updateCrc, type ZipEntry } from '../batch/zip-format.ts'
import type { ZipCalls } from './calls.ts'
import { serveCalls } from './serve-calls.ts'

let archiveHandle: FileSystemSyncAccessHandle | undefined
/** The end of the last complete entry. */
let entriesEndOffset = 0
let currentEntry: { entry: ZipEntry; entryStart: number } | undefined

serveCalls<ZipCalls>({
  async open({ folderNames, fileName, bytes }) {
    let scratchRoot = await navigator.storage.getDirectory()
    for (const name of folderNames) scratchRoot = await scratchRoot.getDirectoryHandle(name)
    archiveHandle = await (await scratchRoot.getFileHandle(fileName, { create: true })).createSyncAccessHandle()
    if (archiveHandle.getSize() < bytes) throw new DOMException('the archive is incomplete', 'NotFoundError')
    archiveHandle.truncate(bytes)
    entriesEndOffset = bytes
    return { response: undefined }
  },
  startEntry({ name, maxBytes, modifiedMs }) {
    const entry: ZipEntry = { name, bytes: 0, crc: 0, offset: entriesEndOffset, modifiedMs, isLarge: needsLargeEntry(maxBytes) }
    currentEntry = { entry, entryStart: writeBytesAt(createZipLocalHeader(entry), entriesEndOffset) }
    return { response: undefined }
  },
  write({ bytes }) {
    const { entry, entryStart } = requireCurrentEntry()
    const written = { ...entry, bytes: entry.bytes + bytes.byteLength, crc: updateCrc(entry.crc, bytes) }
    currentEntry = { entry: written, entryStart: writeBytesAt(bytes, entryStart) }
    return { response: undefined }
  },
  finishEntry() {
    const { entry, entryStart: entryOffset } = requireCurrentEntry()
    writeBytesAt(createZipLocalHeader(entry), entry.offset)
    requireOpenFile().flush()
    currentEntry = undefined
    entriesEndOffset = entryOffset
    return { response: { entry, endOffset: entriesEndOffset } }
  },
  rewind(request) {
    currentEntry = undefined
    entriesEndOffset = request.endOffset
    requireOpenFile().truncate(entriesEndOffset)
    return { response: undefined }
  },
  finish({ entries }) {
    const directoryBytes = writeBytesAt(createZipCentralDirectory(entries, entriesEndOffset), entriesEndOffset)
    requireOpenFile().truncate(directoryBytes)
    requireOpenFile().flush()
    return { response: { bytes: directoryBytes } }
  },
  close() {
    archiveHandle?.close()
    archiveHandle = undefined
    return { response: undefined }
  },
})

/** Writes bytes at an offset, and returns the offset of their end. */
function writeBytesAt(bytes: Uint8Array<ArrayBuffer>, fileOffset: number): number {
  // Some browsers report a full disk only by the number of bytes written.
  if (requireOpenFile().write(bytes, { at: fileOffset }) !== bytes.byteLength)
    throw new DOMException('the disk is full', 'QuotaExceededError')
  return fileOffset + bytes.byteLength
}

function requireOpenFile(): FileSystemSyncAccessHandle {
  if (archiveHandle === undefined) throw new Error('no archive is open')
  return archiveHandle
}

function requireCurrentEntry() {
  if (currentEntry === undefined) throw new Error('no entry is open')
  return currentEntry
}
