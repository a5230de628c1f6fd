import { open } from 'node:fs/promises'

const HEAD_BYTES = 64

/**
 * Returns ffmpeg's name of the format that the first bytes of a file have; `undefined` if it is none that is converted. Raw samples have no mark: only the name
 * of the file says that it has them.
 */
export async function sniffFormat(file: string, name: string): Promise<string | undefined> {
  const handle = await open(file)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return bytesRead < 4 ? undefined : formatOf(buffer.subarray(0, bytesRead), name)
  } finally {
    await handle.close()
  }
}

function formatOf(head: Buffer, name: string): string | undefined {
  const text = (start: number, end: number) => head.toString('latin1', start, end)
  const container = text(0, 4)
  if ((container === 'RIFF' || container === 'RF64') && text(8, 12) === 'WAVE') return 'wav'
  if (container === 'FORM' && /^AIF[FC]$/.test(text(8, 12))) return 'aiff'
  if (container === 'fLaC') return 'flac'
  if (container === 'caff') return 'caf'
  if (text(4, 8) === 'ftyp') return 'mov'
  if (text(0, 3) === 'ID3') return /\.aac$/i.test(name) ? 'aac' : /\.flac$/i.test(name) ? 'flac' : 'mp3'
  const [first = 0, second = 0] = head
  // An ADTS frame has layer 0, an MPEG audio frame another one.
  if (first === 0xff && (second & 0xf6) === 0xf0) return 'aac'
  if (first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) !== 0) return 'mp3'
  return /\.pcm$/i.test(name) ? 's16le' : undefined
}
