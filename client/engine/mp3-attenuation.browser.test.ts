import { describe, expect, test } from 'vitest'
import { type DecodeOptions, decodeSoundFile } from './decode.ts'
import { createSoundFile } from './testing/fixtures.ts'
import { joinBytes, mp3File, mp3FileKinds, withChecksums, withInfoPacket, withRaisedGain, withTags } from './testing/mp3-file.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** 8 steps of 1.5 dB are a factor of 4, which raises the drum loop above full scale. */
const RAISED_GAIN_STEPS = 8
const RAISED_GAIN = 4
const MAX_RESIDUAL_DB = -110

/**
 * Decodes the file with the browser's decoder and multiplies the samples by the gain. The result is the samples to which the louder file
 * must decode.
 */
async function raisedSamples(bytes: Bytes, sampleRate: number): Promise<Float32Array[]> {
  const buffer = await new OfflineAudioContext({ length: 1, sampleRate }).decodeAudioData(bytes.slice().buffer)
  return Array.from({ length: buffer.numberOfChannels }, (_, channel) =>
    buffer.getChannelData(channel).map((sample) => RAISED_GAIN * sample),
  )
}

async function decodedSamples(bytes: Bytes, options?: DecodeOptions): Promise<Float32Array[]> {
  const decodeResult = await decodeSoundFile(createSoundFile('a.mp3', bytes), options)
  if (decodeResult.kind !== 'decoded') throw new Error(decodeResult.kind)
  const samples = Array.from({ length: decodeResult.sound.channels }, () => new Float32Array(decodeResult.sound.frames))
  await decodeResult.sound.read(0, samples)
  decodeResult.sound.dispose()
  return samples
}

/**
 * Checks that both sounds have the same length. Returns the level of the largest difference between samples at the same position, in dB
 * relative to full scale.
 */
function residualDb(actualChannels: readonly Float32Array[], expectedChannels: readonly Float32Array[]): number {
  expect(actualChannels.map(({ length }) => length)).toEqual(expectedChannels.map(({ length }) => length))
  let largestDifference = 0
  expectedChannels.forEach((samples, channelIndex) => {
    const actualSamples = actualChannels[channelIndex] ?? new Float32Array()
    for (let frame = 0; frame < samples.length; frame++)
      largestDifference = Math.max(largestDifference, Math.abs((samples[frame] ?? 0) - (actualSamples[frame] ?? 9)))
  })
  return 20 * Math.log10(largestDifference)
}

const peakOf = (channels: readonly Float32Array[]) =>
  channels.reduce((peak, samples) => samples.reduce((largest, sample) => Math.max(largest, Math.abs(sample)), peak), 0)

describe('decode: an MP3 file that exceeds full scale', () => {
  // Decoding a file takes seconds, so `npm test` decodes only two kinds of files.
  for (const [index, [name, options]] of mp3FileKinds.entries()) {
    test(`an MP3 file above full scale is not clipped: ${name}`, { tags: index < 2 ? [] : ['long'] }, async () => {
      const packets = await mp3File({ ...options, seconds: 13, level: 0.5 })
      const expectedSamples = await raisedSamples(packets, options.sampleRate ?? 44_100)
      expect(peakOf(expectedSamples)).toBeGreaterThan(1.2)
      const hotFile = withRaisedGain(packets, RAISED_GAIN_STEPS)
      expect(residualDb(await decodedSamples(hotFile), expectedSamples)).toBeLessThan(MAX_RESIDUAL_DB)
      expect(residualDb(await decodedSamples(hotFile, { memoryBytes: 0 }), expectedSamples)).toBeLessThan(MAX_RESIDUAL_DB)
    })
  }

  test.each([
    ['with tags', withTags],
    ['of known length', (packets: Bytes) => withInfoPacket(packets, 79, { padding: 900 })],
    ['with a checksum in each packet', withChecksums],
    ['cut inside its last packet', (packets: Bytes) => packets.slice(0, -100)],
    ['with other bytes after its packets', (packets: Bytes) => joinBytes(packets, new Uint8Array(100).fill(7))],
  ])('an MP3 file above full scale is not clipped: %s', async (_, isComplete) => {
    const packets = await mp3File({ seconds: 2, level: 0.5 })
    const expectedSamples = await raisedSamples(isComplete(packets), 44_100)
    const hotFile = isComplete(withRaisedGain(packets, RAISED_GAIN_STEPS))
    expect(residualDb(await decodedSamples(hotFile), expectedSamples)).toBeLessThan(MAX_RESIDUAL_DB)
  })
})
