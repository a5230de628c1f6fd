import { createZipCentralDirectory, createZipLocalHeader, needsLargeEntry, updateCrc, type ZipEntry } from '../batch/zip-format.ts'
import type { ZipCalls } from './calls.ts'
import { serveCalls } from './serve-calls.ts'

let archive: FileSystemSyncAccessHandle | undefined
/** The end of the last complete entry. */
let endOffset = 0
let openEntry: { entry: ZipEntry; entryStart: number } | undefined

serveCalls<ZipCalls>({
  async open({ folderNames, fileName, bytes }) {
    let folder = await navigator.storage.getDirectory()
    for (const name of folderNames) folder = await folder.getDirectoryHandle(name)
    archive = await (await folder.getFileHandle(fileName, { create: true })).createSyncAccessHandle()
    if (archive.getSize() < bytes) throw new DOMException('the archive is incomplete', 'NotFoundError')
    archive.truncate(bytes)
    endOffset = bytes
    return { response: undefined }
  },
  startEntry({ name, maxBytes, modifiedMs }) {
    const entry: ZipEntry = { name, bytes: 0, crc: 0, offset: endOffset, modifiedMs, isLarge: needsLargeEntry(maxBytes) }
    openEntry = { entry, entryStart: write(createZipLocalHeader(entry), endOffset) }
    return { response: undefined }
  },
  write({ bytes }) {
    const { entry, entryStart: at } = currentEntry()
    const written = { ...entry, bytes: entry.bytes + bytes.byteLength, crc: updateCrc(entry.crc, bytes) }
    openEntry = { entry: written, entryStart: write(bytes, at) }
    return { response: undefined }
  },
  finishEntry() {
    const { entry, entryStart: at } = currentEntry()
    write(createZipLocalHeader(entry), entry.offset)
    requireOpenFile().flush()
    openEntry = undefined
    endOffset = at
    return { response: { entry, endOffset } }
  },
  rewind(request) {
    openEntry = undefined
    endOffset = request.endOffset
    requireOpenFile().truncate(endOffset)
    return { response: undefined }
  },
  finish({ entries }) {
    const bytes = write(createZipCentralDirectory(entries, endOffset), endOffset)
    requireOpenFile().truncate(bytes)
    requireOpenFile().flush()
    return { response: { bytes } }
  },
  close() {
    archive?.close()
    archive = undefined
    return { response: undefined }
  },
})

/** Writes bytes at an offset, and returns the offset of their end. */
function write(bytes: Uint8Array<ArrayBuffer>, fileOffset: number): number {
  // Some browsers report a full disk only by the number of bytes written.
  if (requireOpenFile().write(bytes, { at: fileOffset }) !== bytes.byteLength)
    throw new DOMException('the disk is full', 'QuotaExceededError')
  return fileOffset + bytes.byteLength
}

function requireOpenFile(): FileSystemSyncAccessHandle {
  if (archive === undefined) throw new Error('no archive is open')
  return archive
}

function currentEntry() {
  if (openEntry === undefined) throw new Error('no entry is open')
  return openEntry
}
