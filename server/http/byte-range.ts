import type { ByteRange } from '../files/file-store.ts'

/**
 * Reads the header `Range` (RFC 9110, 14.2) of a request for a file of `bytes` bytes. Returns `undefined` if the whole file has to be sent, also for
 * several ranges, which a server may ignore.
 */
export function parseByteRange(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, firstText = '', lastText = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (firstText === '' && lastText === '') return undefined
  // A range without a first byte, such as `-500`, requests as many of the file's last bytes.
  const start = firstText === '' ? Math.max(0, bytes - Number(lastText)) : Number(firstText)
  const end = firstText === '' || lastText === '' ? bytes - 1 : Math.min(bytes - 1, Number(lastText))
  if (firstText !== '' && lastText !== '' && Number(lastText) < Number(firstText)) return undefined
  return start >= bytes ? 'unsatisfiable' : { start, end }
}
