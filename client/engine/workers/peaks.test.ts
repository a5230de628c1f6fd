import { expect, test } from 'vitest'
import { createPeakMeter, MAX_PEAKS } from './peaks.ts'

function measurePeaks(...channels: Float32Array[]) {
  const meter = createPeakMeter()
  meter.add(channels)
  return meter.peaks()
}

const rampSamples = (frames: number, scale = 1) => Float32Array.from({ length: frames }, (_, frame) => (scale * frame) / frames)

test('peak meter: each peak consists of the lowest and the highest sample of all channels', () => {
  const [left, right] = [rampSamples(600), rampSamples(600, -0.5)]
  const { framesPerPeak, values } = measurePeaks(left, right)
  expect(framesPerPeak).toBe(256)
  expect(values).toEqual(
    new Float32Array([
      right[255] ?? 0,
      left[255] ?? 0,
      right[511] ?? 0,
      left[511] ?? 0,
      // The last peak covers the remaining 88 frames.
      right[599] ?? 0,
      left[599] ?? 0,
    ]),
  )
})

test('peak meter: the result does not depend on the size of the chunks', () => {
  const samples = Float32Array.from({ length: 10_000 }, (_, frame) => Math.sin(frame * frame))
  const [atOnce, inChunks] = [createPeakMeter(), createPeakMeter()]
  atOnce.add([samples])
  for (let start = 0; start < samples.length; start += 77) inChunks.add([samples.subarray(start, start + 77)])
  expect(inChunks.peaks()).toEqual(atOnce.peaks())
})

test('peak meter: a longer sound gets more frames for each peak instead of more than MAX_PEAKS peaks', () => {
  const meter = createPeakMeter()
  const chunk = new Float32Array(2 ** 18)
  const chunkCount = 400
  for (let index = 0; index < chunkCount; index++) {
    chunk[0] = index / chunkCount
    meter.add([chunk])
  }
  const { framesPerPeak, values } = meter.peaks()
  expect(framesPerPeak).toBe(1024)
  expect(values.length / 2).toBe((chunkCount * 2 ** 18) / 1024)
  expect(values.length / 2).toBeLessThanOrEqual(MAX_PEAKS)
  for (let index = 0; index < chunkCount; index++) expect(values[2 * index * 256 + 1]).toBeCloseTo(index / chunkCount, 6)
})

test('peak meter: NaN and samples beyond full scale are limited', () => {
  const { values } = measurePeaks(new Float32Array([3, -7, Number.NaN]))
  expect(values).toEqual(new Float32Array([-1, 1]))
})

test('peak meter: the list of peaks of an empty sound is empty', () => {
  expect(measurePeaks(new Float32Array()).values).toHaveLength(0)
})
