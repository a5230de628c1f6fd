import { expect, it } from 'vitest'
import { readWav } from '../../dsp/read-wav.ts'
import { createSampleSong, SAMPLE_BPM } from './sample-song.ts'
import { detectBeat } from './workers/beat.ts'

const createBytes = async () => new Uint8Array(await (await createSampleSong()).blob.arrayBuffer())

/** Returns the largest step between neighbouring samples. */
const findLargestStep = (samples: Float32Array) =>
  samples.reduce((largest, sample, frame) => Math.max(largest, Math.abs(sample - (samples[frame - 1] ?? sample))), 0)

it('sample song: its four stereo bars are identical on each call, have a beat, do not clip, and end close to the first sample', async () => {
  const bytes = await createBytes()
  const bytesAgain = await createBytes()
  expect(bytesAgain.length).toBe(bytes.length)
  expect(bytesAgain.every((byte, index) => byte === bytes[index])).toBe(true)
  const sampleSong = await readWav(bytes)
  expect(sampleSong).toMatchObject({ sampleRate: 44_100, bitsPerSample: 16 })
  expect(sampleSong.channels).toHaveLength(2)
  const [leftSamples = new Float32Array(), rightSamples = new Float32Array()] = sampleSong.channels
  expect(sampleSong.frames / sampleSong.sampleRate).toBeCloseTo((16 * 60) / SAMPLE_BPM, 6)
  for (const sideSamples of [leftSamples, rightSamples]) {
    const peakLevel = sideSamples.reduce((highest, each) => Math.max(highest, Math.abs(each)), 0)
    expect(peakLevel).toBeGreaterThan(0.5)
    expect(peakLevel).toBeLessThan(0.81)
    // Notes that still sound at the end of the sample continue at its beginning, so that the loop has no gap.
    expect(Math.abs((sideSamples.at(-1) ?? 0) - (sideSamples[0] ?? 0))).toBeLessThan(findLargestStep(sideSamples) / 2)
    expect(sideSamples.slice(0, 2000).some((each) => Math.abs(each) > 0.01)).toBe(true)
  }
  expect(leftSamples.some((each, frame) => each !== rightSamples[frame])).toBe(true)
  const fourTimes = Float32Array.from({ length: 4 * leftSamples.length }, (_, frame) => leftSamples[frame % leftSamples.length] ?? 0)
  const foundBpm = detectBeat(fourTimes, sampleSong.sampleRate) ?? 0
  expect(Math.min(...[0.5, 1, 2].map((factor) => Math.abs(foundBpm / (SAMPLE_BPM * factor) - 1)))).toBeLessThan(0.01)
})
