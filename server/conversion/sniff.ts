import { open } from 'node:fs/promises'

const HEAD_BYTES = 64
/**
 * The signatures of formats that are not converted, so that their files are not mistaken for raw samples: other sounds, films, playlists, pictures,
 * documents and archives.
 */
const OTHER_HEADS = [
  ...['OggS', '\x1aE\xdf\xa3', 'RIFF', 'RIFX', '.snd', 'wvpk', 'MAC ', 'MThd', '#EXTM3U', 'ffconcat'],
  ...['\x89PNG', '\xff\xd8\xff', 'GIF8', '%PDF', 'PK\x03\x04', '\x1f\x8b', '7z\xbc\xaf', '<?xml'],
]

/** The size in bytes of a frame of raw samples, which are 16-bit stereo. */
const RAW_FRAME_BYTES = 4

/**
 * Detects the format of a file by its first bytes and returns ffmpeg's name of the format; `undefined` if the server does not convert the format.
 * Raw samples have no signature: the name of the file must end with `.pcm`, its size must be a whole number of frames, and its first bytes must
 * match no other format.
 */
export async function sniffFormat(file: string, name: string): Promise<string | undefined> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    if (bytesRead < 4) return undefined
    const head = buffer.subarray(0, bytesRead)
    const format = formatOf(head, name)
    if (!/\.pcm$/i.test(name)) return format
    const isOther = OTHER_HEADS.some((start) => head.toString('latin1').startsWith(start))
    return format === undefined && size % RAW_FRAME_BYTES === 0 && !isOther ? 's16le' : undefined
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
  // The layer field is 0 in an ADTS frame, and not 0 in an MPEG audio frame.
  if (first === 0xff && (second & 0xf6) === 0xf0) return 'aac'
  if (first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) !== 0) return 'mp3'
  return undefined
}
