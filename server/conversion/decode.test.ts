import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { decodeBytes, decodeBytesOrThrow, measureLevelDb } from './testing/decode-bytes.ts'

interface WavOptions {
  /** The WAVE format tag: 1 is PCM, 3 is IEEE float. */
  tag?: number
  /** The number of bits that are used of the 32 bits of a sample. */
  bits?: number
  /** The channel mask. If it is given, the format is WAVE_FORMAT_EXTENSIBLE. */
  mask?: number
}

const SAMPLE_RATE = 48_000
const FRAME_COUNT = 4800
const TONE_AMPLITUDE = 0.5
const TONE_DB = 20 * Math.log10(TONE_AMPLITUDE / Math.SQRT2)
const toneSamples = Array.from({ length: FRAME_COUNT }, (_, frame) => TONE_AMPLITUDE * Math.sin((2 * Math.PI * 500 * frame) / SAMPLE_RATE))
const silentSamples = toneSamples.map(() => 0)

/** Builds a WAV file whose samples take 32 bits each: floats, or integers in the lowest bits. */
function createWav(channelSamples: readonly (readonly number[])[], { tag = 3, bits = 32, mask }: WavOptions = {}): Buffer {
  const formatChunk = Buffer.alloc(mask === undefined ? 16 : 40)
  const frameBytes = 4 * channelSamples.length
  formatChunk.writeUInt16LE(mask === undefined ? tag : 0xfffe, 0)
  formatChunk.writeUInt16LE(channelSamples.length, 2)
  formatChunk.writeUInt32LE(SAMPLE_RATE, 4)
  formatChunk.writeUInt32LE(SAMPLE_RATE * frameBytes, 8)
  formatChunk.writeUInt16LE(frameBytes, 12)
  formatChunk.writeUInt16LE(bits, 14)
  if (mask !== undefined) {
    formatChunk.writeUInt16LE(22, 16)
    formatChunk.writeUInt16LE(bits, 18)
    formatChunk.writeUInt32LE(mask, 20)
    formatChunk.writeUInt16LE(tag, 24)
  }
  const dataChunk = Buffer.alloc(frameBytes * (channelSamples[0]?.length ?? 0))
  channelSamples.forEach((samples, channelIndex) => {
    samples.forEach((sample, frame) => {
      const at = frame * frameBytes + 4 * channelIndex
      if (tag === 3) dataChunk.writeFloatLE(sample, at)
      else dataChunk.writeInt32LE(Math.round(sample * 2 ** (bits - 1)), at)
    })
  })
  const createChunk = (chunkId: string, chunkContent: Buffer) => {
    const head = Buffer.from(`${chunkId}....`)
    head.writeUInt32LE(chunkContent.length, 4)
    return Buffer.concat([head, chunkContent])
  }
  return createChunk('RIFF', Buffer.concat([Buffer.from('WAVE'), createChunk('fmt ', formatChunk), createChunk('data', dataChunk)]))
}

/** Files that need no ffmpeg are decoded by the same code as in the page. */
const decodeWav = (bytes: Uint8Array) => decodeBytesOrThrow(bytes, { ffmpeg: '/nowhere/ffmpeg' })

it.each([
  ['floats', {}],
  ['24 bits in 32', { tag: 1, bits: 24 }],
  ['24 bits in 32, extensible', { tag: 1, bits: 24, mask: 3 }],
  ['32 bits', { tag: 1 }],
])('conversion: a WAV file of %s keeps its level', async (_, wavOptions) => {
  const { sampleRate, channels } = await decodeWav(createWav([toneSamples, silentSamples], wavOptions))
  expect(sampleRate).toBe(SAMPLE_RATE)
  expect(channels.map(({ length }) => length)).toEqual([FRAME_COUNT, FRAME_COUNT])
  expect(measureLevelDb(channels[0])).toBeCloseTo(TONE_DB, 2)
  expect(Math.max(...(channels[1] ?? [1]))).toBeLessThan(1e-6)
})

it('conversion: samples that are NaN, infinite or 60 dB too loud become silent, and all other samples stay unchanged', async () => {
  const badSampleByName = new Map([
    [100, Number.NaN],
    [200, Number.POSITIVE_INFINITY],
    [300, -1e12],
  ])
  const { channels } = await decodeWav(createWav([toneSamples.map((sample, frame) => badSampleByName.get(frame) ?? sample)]))
  const expected = toneSamples.map((sample, frame) => (badSampleByName.has(frame) ? 0 : Math.fround(sample)))
  expect([...(channels[0] ?? [])]).toEqual(expected)
})

it('conversion: each channel is mixed to the side of its speaker, and no channel is lost if the speakers are unknown', async () => {
  const measureLevels = async (channels: readonly (readonly number[])[], mask?: number) =>
    (await decodeWav(createWav(channels, mask === undefined ? {} : { mask }))).channels.map(measureLevelDb)
  const centreLevels = await measureLevels([silentSamples, silentSamples, toneSamples, silentSamples], 0x107)
  expect(centreLevels[0]).toBe(centreLevels[1])
  expect(centreLevels[0]).toBeGreaterThan(-26)
  const lfeLevels = await measureLevels([silentSamples, silentSamples, toneSamples], 0xb)
  expect(lfeLevels).toEqual([Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY])
  for (let track = 0; track < 10; track++) {
    const levels = await measureLevels(Array.from({ length: 10 }, (_, index) => (index === track ? toneSamples : silentSamples)))
    expect(Math.max(...levels)).toBeGreaterThan(-40)
  }
})

it('conversion: bytes that precede the header of a WAV file are ignored', async () => {
  const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x10'), Buffer.alloc(16)])
  expect((await decodeWav(Buffer.concat([tag, createWav([toneSamples])]))).channels[0]).toHaveLength(FRAME_COUNT)
})

it('conversion: a WAV file without samples is refused as empty', async () => {
  expect(await decodeBytes(createWav([[]]), { ffmpeg: '/nowhere/ffmpeg' })).toBe('empty')
})

it('conversion: a song whose ffmpeg was asked to end is not cut short in silence; one that is damaged is converted up to the damage', async () => {
  const folderPath = await mkdtemp(join(tmpdir(), 'varispeed-ffmpeg-'))
  try {
    await writeFile(join(folderPath, 'decoded.wav'), createWav([toneSamples]))
    const decodeWithExitCode = async (exitCode: number) => {
      const ffmpeg = join(folderPath, `ffmpeg-${exitCode}`)
      await writeFile(ffmpeg, `#!/bin/sh\ncat '${folderPath}/decoded.wav'\nexit ${exitCode}\n`)
      await chmod(ffmpeg, 0o700)
      return decodeBytes(Buffer.alloc(4 * FRAME_COUNT), { name: 'song.pcm', ffmpeg })
    }
    expect(await decodeWithExitCode(255)).toBe('failed')
    expect(await decodeWithExitCode(1)).toMatchObject({ sampleRate: SAMPLE_RATE })
  } finally {
    await rm(folderPath, { recursive: true })
  }
})
