import { expect, test } from 'vitest'
import { createPeakMeter, MAX_PEAKS } from './peaks.ts'

function measured(...channels: Float32Array[]) {
  const meter = createPeakMeter()
  meter.add(channels)
  return meter.peaks()
}

const ramp = (frames: number, scale = 1) => Float32Array.from({ length: frames }, (_, frame) => (scale * frame) / frames)

test('each stretch has its lowest and highest sample, over all channels', () => {
  const [left, right] = [ramp(600), ramp(600, -0.5)]
  const { framesPerPeak, values } = measured(left, right)
  expect(framesPerPeak).toBe(256)
  expect(values).toEqual(
    new Float32Array([
      ...[right[255] ?? 0, left[255] ?? 0],
      ...[right[511] ?? 0, left[511] ?? 0],
      // A rest of 88 frames.
      ...[right[599] ?? 0, left[599] ?? 0],
    ]),
  )
})

test('it does not matter in what pieces the sound comes', () => {
  const samples = Float32Array.from({ length: 10_000 }, (_, frame) => Math.sin(frame * frame))
  const [whole, pieces] = [createPeakMeter(), createPeakMeter()]
  whole.add([samples])
  for (let start = 0; start < samples.length; start += 77) pieces.add([samples.subarray(start, start + 77)])
  expect(pieces.peaks()).toEqual(whole.peaks())
})

test('a long sound has longer stretches, never more than the most', () => {
  const meter = createPeakMeter()
  const piece = new Float32Array(2 ** 18)
  const pieces = 400
  for (let index = 0; index < pieces; index++) {
    piece[0] = index / pieces
    meter.add([piece])
  }
  const { framesPerPeak, values } = meter.peaks()
  expect(framesPerPeak).toBe(1024)
  expect(values.length / 2).toBe((pieces * 2 ** 18) / 1024)
  expect(values.length / 2).toBeLessThanOrEqual(MAX_PEAKS)
  for (let index = 0; index < pieces; index++) expect(values[2 * index * 256 + 1]).toBeCloseTo(index / pieces, 6)
})

test('what is louder than full scale, or no number, stays within the picture', () => {
  const { values } = measured(new Float32Array([3, -7, Number.NaN]))
  expect(values).toEqual(new Float32Array([-1, 1]))
})

test('no sound has no wave', () => {
  expect(measured(new Float32Array()).values).toHaveLength(0)
})
