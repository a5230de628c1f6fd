import { expect, test } from 'vitest'
import { createPeakMeter, MAX_PEAKS } from './peaks.ts'

function measurePeaks(...channelSamples: Float32Array[]) {
  const meter = createPeakMeter()
  meter.add(channelSamples)
  return meter.peaks()
}

const createRampSamples = (frames: number, scale = 1) => Float32Array.from({ length: frames }, (_, frame) => (scale * frame) / frames)

test('peak meter: each peak consists of the lowest and the highest sample of all channels', () => {
  const [leftSamples, rightSamples] = [createRampSamples(600), createRampSamples(600, -0.5)]
  const { framesPerPeak, values } = measurePeaks(leftSamples, rightSamples)
  expect(framesPerPeak).toBe(256)
  expect(values).toEqual(
    new Float32Array([
      rightSamples[255] ?? 0,
      leftSamples[255] ?? 0,
      rightSamples[511] ?? 0,
      leftSamples[511] ?? 0,
      // The last peak covers the remaining 88 frames.
      rightSamples[599] ?? 0,
      leftSamples[599] ?? 0,
    ]),
  )
})

test('peak meter: the result does not depend on the size of the chunks', () => {
  const samples = Float32Array.from({ length: 10_000 }, (_, frame) => Math.sin(frame * frame))
  const [wholeMeter, chunkedMeter] = [createPeakMeter(), createPeakMeter()]
  wholeMeter.add([samples])
  for (let start = 0; start < samples.length; start += 77) chunkedMeter.add([samples.subarray(start, start + 77)])
  expect(chunkedMeter.peaks()).toEqual(wholeMeter.peaks())
})

test('peak meter: a longer sound gets more frames for each peak instead of more than MAX_PEAKS peaks', () => {
  const peakMeter = createPeakMeter()
  const chunkSamples = new Float32Array(2 ** 18)
  const chunkCount = 400
  for (let index = 0; index < chunkCount; index++) {
    chunkSamples[0] = index / chunkCount
    peakMeter.add([chunkSamples])
  }
  const { framesPerPeak, values } = peakMeter.peaks()
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
