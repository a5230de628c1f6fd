import { openScratch } from '../scratch.ts'
import type { FileCalls } from './calls.ts'
import { serveCalls } from './serve-calls.ts'

let file: FileSystemSyncAccessHandle | undefined
let writtenBytes = 0

serveCalls<FileCalls>({
  async open({ scratchName }) {
    file = await (await openScratch(scratchName)).createSyncAccessHandle()
    return { response: undefined }
  },
  write({ bytes }) {
    // Some browsers report a full disk only by the number of bytes written.
    if (openFile().write(bytes, { at: writtenBytes }) !== bytes.byteLength) throw new DOMException('the disk is full', 'QuotaExceededError')
    writtenBytes += bytes.byteLength
    return { response: undefined }
  },
  clear() {
    openFile().truncate(0)
    writtenBytes = 0
    return { response: undefined }
  },
  finish() {
    openFile().flush()
    if (openFile().getSize() !== writtenBytes) throw new DOMException('the disk is full', 'QuotaExceededError')
    openFile().close()
    return { response: undefined }
  },
})

function openFile(): FileSystemSyncAccessHandle {
  if (file === undefined) throw new Error('bytes were sent before open')
  return file
}
