import { expect, it } from 'vitest'
import { type Biquad, designHighPass, designLowShelf } from './biquad.ts'
import { referenceKernel } from './reference/kernel.ts'
import { wasmKernel } from './testing/kernels.ts'

const SAMPLE_RATE = 44_100

/** Returns the filter's power gain in dB at a frequency, |B(z) / A(z)|^2 on the unit circle. */
function gainDb({ b0, b1, b2, a1, a2 }: Biquad, frequencyHz: number): number {
  const w = (2 * Math.PI * frequencyHz) / SAMPLE_RATE
  const powerOf = (c0: number, c1: number, c2: number) =>
    (c0 + c1 * Math.cos(w) + c2 * Math.cos(2 * w)) ** 2 + (c1 * Math.sin(w) + c2 * Math.sin(2 * w)) ** 2
  return 10 * Math.log10(powerOf(b0, b1, b2) / powerOf(1, a1, a2))
}

it.each([-6, 3, 12])('a low shelf of %d dB has its full gain below, half of it at its frequency, and none above', (db) => {
  const shelf = designLowShelf(110, db, SAMPLE_RATE)
  expect(gainDb(shelf, 0.1)).toBeCloseTo(db, 3)
  expect(gainDb(shelf, 110)).toBeCloseTo(db / 2, 3)
  expect(gainDb(shelf, 5000)).toBeCloseTo(0, 2)
})

it('a high pass has -3 dB at its frequency, falls by 12 dB per octave below, and passes higher frequencies', () => {
  const filter = designHighPass(220, SAMPLE_RATE)
  expect(gainDb(filter, 220)).toBeCloseTo(-3.01, 2)
  expect(gainDb(filter, 13.75) - gainDb(filter, 27.5)).toBeCloseTo(-12.04, 1)
  expect(gainDb(filter, 10_000)).toBeCloseTo(0, 3)
})

it.each([
  { name: 'reference', kernel: referenceKernel },
  { name: 'wasm', kernel: wasmKernel() },
])('$name: filters a tone as the coefficients say, each channel alone', ({ kernel }) => {
  const shelf = designLowShelf(110, 12, SAMPLE_RATE)
  const samples = kernel.allocate(2 * SAMPLE_RATE)
  for (let frame = 0; frame < SAMPLE_RATE; frame++) {
    samples[2 * frame] = 0.1 * Math.sin((2 * Math.PI * 60 * frame) / SAMPLE_RATE)
    samples[2 * frame + 1] = 0.1 * Math.sin((2 * Math.PI * 2000 * frame) / SAMPLE_RATE)
  }
  kernel.filter(shelf, samples, 2)
  const levelDb = (channelIndex: number) => {
    let power = 0
    for (let frame = SAMPLE_RATE / 2; frame < SAMPLE_RATE; frame++) power += (samples[2 * frame + channelIndex] ?? 0) ** 2
    return 10 * Math.log10(power / (SAMPLE_RATE / 2) / (0.1 ** 2 / 2))
  }
  expect(levelDb(0)).toBeCloseTo(gainDb(shelf, 60), 3)
  expect(levelDb(1)).toBeCloseTo(gainDb(shelf, 2000), 3)
})

it('the compiled kernel filters like the reference implementation', () => {
  const values = Float32Array.from({ length: 9001 * 2 }, (_, index) => Math.sin(index * index))
  const kernel = wasmKernel()
  const inKernel = kernel.allocate(values.length)
  inKernel.set(values)
  kernel.filter(designLowShelf(110, 6, SAMPLE_RATE), inKernel, 2)
  referenceKernel.filter(designLowShelf(110, 6, SAMPLE_RATE), values, 2)
  values.forEach((value, index) => {
    expect(Math.abs(value - (inKernel[index] ?? Number.NaN))).toBeLessThan(2 ** -20)
  })
})
