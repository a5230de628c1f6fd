import { expect, it } from 'vitest'
import { readWav } from '../../dsp/read-wav.ts'
import { createSampleSong, SAMPLE_BPM } from './sample-song.ts'
import { detectBeat } from './workers/beat.ts'

const createBytes = async () => new Uint8Array(await (await createSampleSong()).blob.arrayBuffer())

/** Returns the largest step between neighbouring samples. */
const largestStep = (samples: Float32Array) =>
  samples.reduce((largest, sample, frame) => Math.max(largest, Math.abs(sample - (samples[frame - 1] ?? sample))), 0)

it('sample song: its four stereo bars are identical on each call, have a beat, do not clip, and end close to the first sample', async () => {
  const bytes = await createBytes()
  const bytesAgain = await createBytes()
  expect(bytesAgain.length).toBe(bytes.length)
  expect(bytesAgain.every((byte, index) => byte === bytes[index])).toBe(true)
  const sample = await readWav(bytes)
  expect(sample).toMatchObject({ sampleRate: 44_100, bitsPerSample: 16 })
  expect(sample.channels).toHaveLength(2)
  const [left = new Float32Array(), right = new Float32Array()] = sample.channels
  expect(sample.frames / sample.sampleRate).toBeCloseTo((16 * 60) / SAMPLE_BPM, 6)
  for (const samples of [left, right]) {
    const peak = samples.reduce((highest, each) => Math.max(highest, Math.abs(each)), 0)
    expect(peak).toBeGreaterThan(0.5)
    expect(peak).toBeLessThan(0.81)
    // Notes that still sound at the end of the sample continue at its beginning, so that the loop has no gap.
    expect(Math.abs((samples.at(-1) ?? 0) - (samples[0] ?? 0))).toBeLessThan(largestStep(samples) / 2)
    expect(samples.slice(0, 2000).some((each) => Math.abs(each) > 0.01)).toBe(true)
  }
  expect(left.some((each, frame) => each !== right[frame])).toBe(true)
  const fourTimes = Float32Array.from({ length: 4 * left.length }, (_, frame) => left[frame % left.length] ?? 0)
  const foundBpm = detectBeat(fourTimes, sample.sampleRate) ?? 0
  expect(Math.min(...[0.5, 1, 2].map((factor) => Math.abs(foundBpm / (SAMPLE_BPM * factor) - 1)))).toBeLessThan(0.01)
})
