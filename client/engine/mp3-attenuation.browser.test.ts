import { describe, expect, test } from 'vitest'
import { type DecodeOptions, decodeSoundFile } from './decode.ts'
import { createSoundFile } from './testing/fixtures.ts'
import { encodeMp3File, joinBytes, mp3FileKinds, withChecksums, withInfoPacket, withRaisedGain, withTags } from './testing/mp3-file.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** 8 steps of 1.5 dB are a factor of 4, which raises the drum loop above full scale. */
const RAISED_GAIN_STEPS = 8
const RAISED_GAIN = 4
const MAX_RESIDUAL_DB = -110

/**
 * Decodes the file with the browser's decoder and multiplies the samples by the gain. The result is the samples to which the louder file
 * must decode.
 */
async function decodeRaisedSamples(fileBytes: Bytes, sampleRate: number): Promise<Float32Array[]> {
  const decodedBuffer = await new OfflineAudioContext({ length: 1, sampleRate }).decodeAudioData(fileBytes.slice().buffer)
  return Array.from({ length: decodedBuffer.numberOfChannels }, (_, channel) =>
    decodedBuffer.getChannelData(channel).map((sample) => RAISED_GAIN * sample),
  )
}

async function decodeSamples(fileBytes: Bytes, options?: DecodeOptions): Promise<Float32Array[]> {
  const decodeResult = await decodeSoundFile(createSoundFile('a.mp3', fileBytes), options)
  if (decodeResult.kind !== 'decoded') throw new Error(decodeResult.kind)
  const decodedSamples = Array.from({ length: decodeResult.sound.channels }, () => new Float32Array(decodeResult.sound.frames))
  await decodeResult.sound.read(0, decodedSamples)
  decodeResult.sound.dispose()
  return decodedSamples
}

/**
 * Checks that both sounds have the same length. Returns the level of the largest difference between samples at the same position, in dB
 * relative to full scale.
 */
function measureResidualDb(actualChannels: readonly Float32Array[], expectedChannels: readonly Float32Array[]): number {
  expect(actualChannels.map(({ length }) => length)).toEqual(expectedChannels.map(({ length }) => length))
  let largestDifference = 0
  expectedChannels.forEach((samples, channelIndex) => {
    const actualSamples = actualChannels[channelIndex] ?? new Float32Array()
    for (let frame = 0; frame < samples.length; frame++)
      largestDifference = Math.max(largestDifference, Math.abs((samples[frame] ?? 0) - (actualSamples[frame] ?? 9)))
  })
  return 20 * Math.log10(largestDifference)
}

const findPeak = (channels: readonly Float32Array[]) =>
  channels.reduce((peak, samples) => samples.reduce((largest, sample) => Math.max(largest, Math.abs(sample)), peak), 0)

describe('decode: an MP3 file that exceeds full scale', () => {
  // Decoding a file takes seconds, so `npm test` decodes only two kinds of files.
  for (const [index, [kindName, fileOptions]] of mp3FileKinds.entries()) {
    test(`an MP3 file above full scale is not clipped: ${kindName}`, { tags: index < 2 ? [] : ['long'] }, async () => {
      const mp3Packets = await encodeMp3File({ ...fileOptions, seconds: 13, gain: 0.5 })
      const expectedSamples = await decodeRaisedSamples(mp3Packets, fileOptions.sampleRate ?? 44_100)
      expect(findPeak(expectedSamples)).toBeGreaterThan(1.2)
      const hotFile = withRaisedGain(mp3Packets, RAISED_GAIN_STEPS)
      expect(measureResidualDb(await decodeSamples(hotFile), expectedSamples)).toBeLessThan(MAX_RESIDUAL_DB)
      expect(measureResidualDb(await decodeSamples(hotFile, { memoryBytes: 0 }), expectedSamples)).toBeLessThan(MAX_RESIDUAL_DB)
    })
  }

  test.each([
    ['with tags', withTags],
    ['of known length', (packets: Bytes) => withInfoPacket(packets, 79, { padding: 900 })],
    ['with a checksum in each packet', withChecksums],
    ['cut inside its last packet', (packets: Bytes) => packets.slice(0, -100)],
    ['with other bytes after its packets', (packets: Bytes) => joinBytes(packets, new Uint8Array(100).fill(7))],
  ])('an MP3 file above full scale is not clipped: %s', async (_, isComplete) => {
    const mp3Packets = await encodeMp3File({ seconds: 2, gain: 0.5 })
    const expectedSamples = await decodeRaisedSamples(isComplete(mp3Packets), 44_100)
    const hotFile = isComplete(withRaisedGain(mp3Packets, RAISED_GAIN_STEPS))
    expect(measureResidualDb(await decodeSamples(hotFile), expectedSamples)).toBeLessThan(MAX_RESIDUAL_DB)
  })
})
