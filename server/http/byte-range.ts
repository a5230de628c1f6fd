import type { ByteRange } from '../files/file-store.ts'

/**
 * Reads the header `Range` (RFC 9110, 14.2) of a request for a file of `totalBytes` bytes. Returns `undefined` if the whole file has to be sent, also for
 * several ranges, which a server may ignore.
 */
export function parseByteRange(rangeHeader: string | undefined, totalBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, firstText = '', lastText = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(rangeHeader ?? '') ?? []
  if (firstText === '' && lastText === '') return undefined
  // A range without a first byte, such as `-500`, requests as many of the file's last bytes.
  const startByte = firstText === '' ? Math.max(0, totalBytes - Number(lastText)) : Number(firstText)
  const end = firstText === '' || lastText === '' ? totalBytes - 1 : Math.min(totalBytes - 1, Number(lastText))
  if (firstText !== '' && lastText !== '' && Number(lastText) < Number(firstText)) return undefined
  return startByte >= totalBytes ? 'unsatisfiable' : { start: startByte, end }
}
