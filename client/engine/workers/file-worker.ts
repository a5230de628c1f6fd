import { openScratchFile } from '../scratch.ts'
import type { FileCalls } from './calls.ts'
import { serveCalls } from './serve-calls.ts'

let fileHandle: FileSystemSyncAccessHandle | undefined
let fileName = ''
let writtenBytes = 0

serveCalls<FileCalls>({
  async open({ scratchName }) {
    closeFile()
    fileHandle = await (await openScratchFile(scratchName)).createSyncAccessHandle()
    fileName = scratchName
    return { response: undefined }
  },
  write({ bytes }) {
    // Some browsers report a full disk only by the number of bytes written.
    if (requireOpenFile().write(bytes, { at: writtenBytes }) !== bytes.byteLength)
      throw new DOMException('the disk is full', 'QuotaExceededError')
    writtenBytes += bytes.byteLength
    return { response: undefined }
  },
  clear() {
    requireOpenFile().truncate(0)
    writtenBytes = 0
    return { response: undefined }
  },
  finish() {
    // The file is not flushed to the disk: only this page reads it, and after a power failure the page has ended as well.
    const sizeBytes = requireOpenFile().getSize()
    if (sizeBytes !== writtenBytes) throw new DOMException('the disk is full', 'QuotaExceededError')
    closeFile()
    return { response: undefined }
  },
  close({ scratchName }) {
    // The call that closes the file of a cancelled export may arrive after the next export has opened its file.
    if (scratchName === fileName) closeFile()
    return { response: undefined }
  },
})

function requireOpenFile(): FileSystemSyncAccessHandle {
  if (fileHandle === undefined) throw new Error('no file is open')
  return fileHandle
}

function closeFile() {
  fileHandle?.close()
  fileHandle = undefined
  writtenBytes = 0
}
