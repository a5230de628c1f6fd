import { type FileHandle, open } from 'node:fs/promises'
import type { ByteSource } from '../../dsp/byte-source.ts'
import { type FileKind, sniffFile } from '../../dsp/sniff.ts'

/** ffmpeg's names of the formats that the server converts. */
const FFMPEG_DEMUXERS: Readonly<Partial<Record<FileKind, string>>> = {
  wav: 'wav',
  aiff: 'aiff',
  caf: 'caf',
  flac: 'flac',
  mp4: 'mov',
  mp3: 'mp3',
  mp2: 'mp3',
  aac: 'aac',
}

/**
 * The signatures of formats that are not converted, so that their files are not mistaken for raw samples: other sounds, films, playlists, pictures,
 * documents and archives.
 */
const UNCONVERTED_SIGNATURES = [
  ...['OggS', '\x1aE\xdf\xa3', 'RIFF', 'RIFX', '.snd', 'wvpk', 'MAC ', 'MThd', 'ID3', '#EXTM3U', 'ffconcat'],
  ...['\x89PNG', '\xff\xd8\xff', 'GIF8', '%PDF', 'PK\x03\x04', '\x1f\x8b', '7z\xbc\xaf', '<?xml'],
]
const FILE_HEAD_BYTES = 16

/** The size in bytes of a frame of raw samples, which are 16-bit stereo. */
const RAW_FRAME_BYTES = 4

/** Whether the name is one of raw samples, which have no signature. */
export const isRawSamplesName = (name: string): boolean => /\.pcm$/i.test(name)

/** Returns a source of the bytes of an open file from `startByte` on. */
export async function createFileSource(handle: FileHandle, startByte = 0): Promise<ByteSource> {
  const sizeBytes = Math.max(0, (await handle.stat()).size - startByte)
  return {
    sizeBytes,
    async read(firstByte, endByte) {
      const bytes = new Uint8Array(Math.max(0, Math.min(endByte, sizeBytes) - firstByte))
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, startByte + firstByte)
      return bytes.subarray(0, bytesRead)
    },
  }
}

/**
 * Detects the format of a file by its content and returns ffmpeg's name of the format; `undefined` if the server does not convert the format.
 * Raw samples have no signature: the name of the file must end with `.pcm`, its size must be a whole number of frames, and its first bytes must
 * match no other format.
 */
export async function sniffFormat(filePath: string, fileName: string): Promise<string | undefined> {
  const fileHandle = await open(filePath)
  try {
    const fileSource = await createFileSource(fileHandle)
    const sniffedFile = await sniffFile(fileSource)
    const headText = Buffer.from(await fileSource.read(0, FILE_HEAD_BYTES)).toString('latin1')
    // A format that is detected only after the first byte does not count for a `.pcm` file, because raw samples may look like a few packets
    // by chance.
    const isRaw =
      isRawSamplesName(fileName) && sniffedFile?.startByte !== 0 && !UNCONVERTED_SIGNATURES.some((start) => headText.startsWith(start))
    if (isRaw) return fileSource.sizeBytes > 0 && fileSource.sizeBytes % RAW_FRAME_BYTES === 0 ? 's16le' : undefined
    return sniffedFile && FFMPEG_DEMUXERS[sniffedFile.kind]
  } finally {
    await fileHandle.close()
  }
}
