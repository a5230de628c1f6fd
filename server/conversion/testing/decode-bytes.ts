import { closeSync, readSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode } from '../decode.ts'
import type { FailureCode } from '../job.ts'
import { sniffFormat } from '../sniff.ts'

export interface DecodedBytes {
  sampleRate: number
  /** The samples of each channel. */
  channels: Float32Array<ArrayBuffer>[]
}

/** Decodes an upload as a conversion does. Returns the code of the failure, or `refused` if the upload would not be accepted. */
export async function decodeBytes(
  bytes: Uint8Array,
  { name = 'song', ffmpeg = '/usr/bin/ffmpeg' } = {},
): Promise<DecodedBytes | FailureCode | 'refused'> {
  const folder = await mkdtemp(join(tmpdir(), 'varispeed-decode-'))
  const inputFile = join(folder, 'in')
  try {
    await writeFile(inputFile, bytes)
    const demuxer = await sniffFormat(inputFile, name)
    if (demuxer === undefined) return 'refused'
    const paths = { kernelFile: '', outputFile: '', samplesFile: join(folder, 'samples'), preparedFile: join(folder, 'prepared') }
    const sound = await decode({ ffmpeg, inputFile, demuxer, rate: 1, format: 'wav', ...paths })
    if (typeof sound === 'string') return sound
    const samples = new Float32Array(sound.frames * sound.channels)
    readSync(sound.file, new Uint8Array(samples.buffer), 0, samples.byteLength, 0)
    closeSync(sound.file)
    const channels = Array.from({ length: sound.channels }, (_, channel) =>
      samples.filter((_sample, index) => index % sound.channels === channel),
    )
    return { sampleRate: sound.sampleRate, channels }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Decodes an upload like `decodeBytes`. Throws if the upload cannot be decoded. */
export async function decodeBytesOrThrow(bytes: Uint8Array, options?: Parameters<typeof decodeBytes>[1]): Promise<DecodedBytes> {
  const decoded = await decodeBytes(bytes, options)
  if (typeof decoded === 'string') throw new Error(decoded)
  return decoded
}

/** Returns the level of samples in dB, relative to full scale. */
export const levelInDb = (samples: Float32Array = new Float32Array()): number =>
  10 * Math.log10(samples.reduce((power, sample) => power + sample * sample, 0) / samples.length)
