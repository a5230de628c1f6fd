import { expect, it } from 'vitest'
import { type Biquad, designHighPass, designLowShelf } from './biquad.ts'
import { referenceKernel } from './reference/kernel.ts'
import { loadWasmKernel } from './testing/kernels.ts'

const SAMPLE_RATE = 44_100

/** Returns the filter's power gain in dB at a frequency, |B(z) / A(z)|^2 on the unit circle. */
function computeGainDb({ b0, b1, b2, a1, a2 }: Biquad, frequencyHz: number): number {
  const angularFrequency = (2 * Math.PI * frequencyHz) / SAMPLE_RATE
  const computePower = (c0: number, c1: number, c2: number) =>
    (c0 + c1 * Math.cos(angularFrequency) + c2 * Math.cos(2 * angularFrequency)) ** 2 +
    (c1 * Math.sin(angularFrequency) + c2 * Math.sin(2 * angularFrequency)) ** 2
  return 10 * Math.log10(computePower(b0, b1, b2) / computePower(1, a1, a2))
}

it.each([-6, 3, 12])('a low shelf of %d dB has its full gain below, half of it at its frequency, and none above', (db) => {
  const lowShelf = designLowShelf(110, db, SAMPLE_RATE)
  expect(computeGainDb(lowShelf, 0.1)).toBeCloseTo(db, 3)
  expect(computeGainDb(lowShelf, 110)).toBeCloseTo(db / 2, 3)
  expect(computeGainDb(lowShelf, 5000)).toBeCloseTo(0, 2)
})

it('a high pass has -3 dB at its frequency, falls by 12 dB per octave below, and passes higher frequencies', () => {
  const highPass = designHighPass(220, SAMPLE_RATE)
  expect(computeGainDb(highPass, 220)).toBeCloseTo(-3.01, 2)
  expect(computeGainDb(highPass, 13.75) - computeGainDb(highPass, 27.5)).toBeCloseTo(-12.04, 1)
  expect(computeGainDb(highPass, 10_000)).toBeCloseTo(0, 3)
})

it.each([
  { name: 'reference', kernel: referenceKernel },
  { name: 'wasm', kernel: loadWasmKernel() },
])('$name: filters a tone as the coefficients say, each channel alone', ({ kernel }) => {
  const lowShelf = designLowShelf(110, 12, SAMPLE_RATE)
  const samples = kernel.allocate(2 * SAMPLE_RATE)
  for (let frame = 0; frame < SAMPLE_RATE; frame++) {
    samples[2 * frame] = 0.1 * Math.sin((2 * Math.PI * 60 * frame) / SAMPLE_RATE)
    samples[2 * frame + 1] = 0.1 * Math.sin((2 * Math.PI * 2000 * frame) / SAMPLE_RATE)
  }
  kernel.filter(lowShelf, samples, 2)
  const measureLevelDb = (channelIndex: number) => {
    let power = 0
    for (let frame = SAMPLE_RATE / 2; frame < SAMPLE_RATE; frame++) power += (samples[2 * frame + channelIndex] ?? 0) ** 2
    return 10 * Math.log10(power / (SAMPLE_RATE / 2) / (0.1 ** 2 / 2))
  }
  expect(measureLevelDb(0)).toBeCloseTo(computeGainDb(lowShelf, 60), 3)
  expect(measureLevelDb(1)).toBeCloseTo(computeGainDb(lowShelf, 2000), 3)
})

it('the compiled kernel filters like the reference implementation', () => {
  const inputSamples = Float32Array.from({ length: 9001 * 2 }, (_, index) => Math.sin(index * index))
  const kernel = loadWasmKernel()
  const kernelSamples = kernel.allocate(inputSamples.length)
  kernelSamples.set(inputSamples)
  kernel.filter(designLowShelf(110, 6, SAMPLE_RATE), kernelSamples, 2)
  referenceKernel.filter(designLowShelf(110, 6, SAMPLE_RATE), inputSamples, 2)
  inputSamples.forEach((value, index) => {
    expect(Math.abs(value - (kernelSamples[index] ?? Number.NaN))).toBeLessThan(2 ** -20)
  })
})
