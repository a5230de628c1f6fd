import { closeSync, readSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeFile } from '../decode.ts'
import type { FailureCode } from '../job.ts'
import { sniffFormat } from '../sniff.ts'

export interface DecodedFileBytes {
  sampleRate: number
  /** The samples of each channel. */
  channels: Float32Array<ArrayBuffer>[]
}

/** Decodes an upload as a conversion does. Returns the code of the failure, or `refused` if the upload would not be accepted. */
export async function decodeBytes(
  bytes: Uint8Array,
  { name = 'song', ffmpeg = '/usr/bin/ffmpeg' } = {},
): Promise<DecodedFileBytes | FailureCode | 'refused'> {
  const workFolder = await mkdtemp(join(tmpdir(), 'varispeed-decode-'))
  const inputFile = join(workFolder, 'in')
  try {
    await writeFile(inputFile, bytes)
    const demuxerName = await sniffFormat(inputFile, name)
    if (demuxerName === undefined) return 'refused'
    const jobPaths = {
      wasmKernelPath: '',
      outputFile: '',
      samplesFile: join(workFolder, 'samples'),
      preparedFile: join(workFolder, 'prepared'),
    }
    const decodedSound = await decodeFile({ ffmpeg, inputFile, demuxer: demuxerName, rate: 1, format: 'wav', ...jobPaths })
    if (typeof decodedSound === 'string') return decodedSound
    const interleavedSamples = new Float32Array(decodedSound.frames * decodedSound.channels)
    readSync(decodedSound.fileDescriptor, new Uint8Array(interleavedSamples.buffer), 0, interleavedSamples.byteLength, 0)
    closeSync(decodedSound.fileDescriptor)
    const channelSamples = Array.from({ length: decodedSound.channels }, (_, channel) =>
      interleavedSamples.filter((_sample, index) => index % decodedSound.channels === channel),
    )
    return { sampleRate: decodedSound.sampleRate, channels: channelSamples }
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

/** Decodes an upload like `decodeBytes`. Throws if the upload cannot be decoded. */
export async function decodeBytesOrThrow(bytes: Uint8Array, options?: Parameters<typeof decodeBytes>[1]): Promise<DecodedFileBytes> {
  const decoded = await decodeBytes(bytes, options)
  if (typeof decoded === 'string') throw new Error(decoded)
  return decoded
}

/** Returns the level of samples in dB, relative to full scale. */
export const measureLevelDb = (samples: Float32Array = new Float32Array()): number =>
  10 * Math.log10(samples.reduce((power, sample) => power + sample * sample, 0) / samples.length)
