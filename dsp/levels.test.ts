import fc from 'fast-check'
import { expect, it } from 'vitest'
import { gainDb, gainForPeak } from './levels.ts'
import { referenceKernel } from './reference/kernel.ts'
import { dither } from './reference/levels.ts'
import { wasmKernel } from './testing/kernels.ts'

const kernels = [
  { name: 'reference', kernel: referenceKernel },
  { name: 'wasm', kernel: wasmKernel() },
]
const anySamples = fc.array(fc.float({ min: -2, max: 2, noNaN: true }), { maxLength: 100 }).map((values) => Float32Array.from(values))

it.each(kernels)('$name: a tone at -6 dBFS has an SNR above 87.2 dB in 16 bits', ({ kernel }) => {
  const tone = Float32Array.from({ length: 2 ** 18 }, (_, index) => 0.5 * Math.sin(index * 0.1421))
  const output = new Int16Array(tone.length)
  kernel.quantise(tone, 1, 0, output)
  let [signalPower, error] = [0, 0]
  tone.forEach((value, index) => {
    signalPower += value ** 2
    error += ((output[index] ?? 0) / 32_768 - value) ** 2
  })
  expect(10 * Math.log10(signalPower / error)).toBeGreaterThan(87.2)
})

it.each(kernels)('$name: no sample clips at the gain for its peak', ({ kernel }) => {
  fc.assert(
    fc.property(anySamples, fc.nat(2 ** 31), (values, firstSample) => {
      const output = new Int16Array(values.length)
      const gain = gainForPeak(kernel.peak(values))
      kernel.quantise(values, gain, firstSample, output)
      expect(gain).toBeLessThanOrEqual(1)
      for (const value of output) expect(Math.abs(value)).toBeLessThan(32_767)
    }),
  )
})

it('both kernels return the same peak and the same 16-bit samples', () => {
  const [reference, wasm] = [referenceKernel, wasmKernel()]
  fc.assert(
    fc.property(anySamples, fc.float({ min: 0, max: 4, noNaN: true }), fc.nat(2 ** 32 - 1), (values, gain, firstSample) => {
      const [expectedSamples, output] = [new Int16Array(values.length), new Int16Array(values.length)]
      reference.quantise(values, gain, firstSample, expectedSamples)
      wasm.quantise(values, gain, firstSample, output)
      expect(output).toEqual(expectedSamples)
      expect(wasm.peak(values)).toBe(reference.peak(values))
    }),
  )
})

it('the dither of a sample does not depend on the requested range', () => {
  const values = Float32Array.from({ length: 50_000 }, (_, index) => Math.sin(index))
  const kernel = wasmKernel()
  const [completeSamples, renderedSamples] = [new Int16Array(50_000), new Int16Array(20_000)]
  kernel.quantise(values, 1, 0, completeSamples)
  kernel.quantise(values.subarray(17_001, 37_001), 1, 17_001, renderedSamples)
  expect(renderedSamples).toEqual(completeSamples.subarray(17_001, 37_001))
})

it('the dither is triangular: it has mean 0, amplitudes within 1 LSB and variance 1/6, and no correlation with its neighbours', () => {
  const sampleCount = 200_000
  const values = Array.from({ length: sampleCount }, (_, index) => dither(index))
  const meanOf = (of: number[]) => of.reduce((sum, value) => sum + value, 0) / sampleCount
  expect(Math.abs(meanOf(values))).toBeLessThan(0.003)
  expect(meanOf(values.map((value) => value ** 2))).toBeCloseTo(1 / 6, 2)
  expect(Math.max(...values.slice(0, 100_000))).toBeLessThan(1)
  expect(Math.abs(meanOf(values.map((value, index) => value * (values[index - 1] ?? 0))))).toBeLessThan(0.002)
  expect(Math.abs(meanOf(values.map((value, index) => value * (values[index - 2] ?? 0))))).toBeLessThan(0.002)
})

it('gainForPeak lowers only sounds whose peak exceeds full scale', () => {
  expect(gainForPeak(0)).toBe(1)
  expect(gainForPeak(0.9)).toBe(1)
  expect(gainDb(gainForPeak(2))).toBeCloseTo(-6.02, 2)
})
