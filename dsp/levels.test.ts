import fc from 'fast-check'
import { expect, it } from 'vitest'
import { computeGainForPeak, toDecibels } from './levels.ts'
import { referenceKernel } from './reference/kernel.ts'
import { computeDither } from './reference/levels.ts'
import { loadWasmKernel } from './testing/kernels.ts'

const kernels = [
  { name: 'reference', kernel: referenceKernel },
  { name: 'wasm', kernel: loadWasmKernel() },
]
const anySamples = fc.array(fc.float({ min: -2, max: 2, noNaN: true }), { maxLength: 100 }).map((values) => Float32Array.from(values))

it.each(kernels)('$name: a tone at -6 dBFS has an SNR above 87.2 dB in 16 bits', ({ kernel }) => {
  const toneSamples = Float32Array.from({ length: 2 ** 18 }, (_, index) => 0.5 * Math.sin(index * 0.1421))
  const quantisedSamples = new Int16Array(toneSamples.length)
  kernel.quantise(toneSamples, 1, 0, quantisedSamples)
  let [signalPower, errorPower] = [0, 0]
  toneSamples.forEach((sampleValue, index) => {
    signalPower += sampleValue ** 2
    errorPower += ((quantisedSamples[index] ?? 0) / 32_768 - sampleValue) ** 2
  })
  expect(10 * Math.log10(signalPower / errorPower)).toBeGreaterThan(87.2)
})

it.each(kernels)('$name: no sample clips at the gain for its peak', ({ kernel }) => {
  fc.assert(
    fc.property(anySamples, fc.nat(2 ** 31), (sampleValues, firstSampleIndex) => {
      const quantisedSamples = new Int16Array(sampleValues.length)
      const peakGain = computeGainForPeak(kernel.measurePeak(sampleValues))
      kernel.quantise(sampleValues, peakGain, firstSampleIndex, quantisedSamples)
      expect(peakGain).toBeLessThanOrEqual(1)
      for (const value of quantisedSamples) expect(Math.abs(value)).toBeLessThan(32_767)
    }),
  )
})

it('both kernels return the same peak and the same 16-bit samples', () => {
  const [typescriptKernel, wasmKernel] = [referenceKernel, loadWasmKernel()]
  fc.assert(
    fc.property(anySamples, fc.float({ min: 0, max: 4, noNaN: true }), fc.nat(2 ** 32 - 1), (sampleValues, gain, firstSampleIndex) => {
      const [expectedSamples, quantisedSamples] = [new Int16Array(sampleValues.length), new Int16Array(sampleValues.length)]
      typescriptKernel.quantise(sampleValues, gain, firstSampleIndex, expectedSamples)
      wasmKernel.quantise(sampleValues, gain, firstSampleIndex, quantisedSamples)
      expect(quantisedSamples).toEqual(expectedSamples)
      expect(wasmKernel.measurePeak(sampleValues)).toBe(typescriptKernel.measurePeak(sampleValues))
    }),
  )
})

it('the dither of a sample does not depend on the requested range', () => {
  const inputSamples = Float32Array.from({ length: 50_000 }, (_, index) => Math.sin(index))
  const kernel = loadWasmKernel()
  const [completeSamples, renderedSamples] = [new Int16Array(50_000), new Int16Array(20_000)]
  kernel.quantise(inputSamples, 1, 0, completeSamples)
  kernel.quantise(inputSamples.subarray(17_001, 37_001), 1, 17_001, renderedSamples)
  expect(renderedSamples).toEqual(completeSamples.subarray(17_001, 37_001))
})

it('the dither is triangular: it has mean 0, amplitudes within 1 LSB and variance 1/6, and no correlation with its neighbours', () => {
  const sampleCount = 200_000
  const ditherValues = Array.from({ length: sampleCount }, (_, index) => computeDither(index))
  const computeMean = (of: number[]) => of.reduce((sum, value) => sum + value, 0) / sampleCount
  expect(Math.abs(computeMean(ditherValues))).toBeLessThan(0.003)
  expect(computeMean(ditherValues.map((value) => value ** 2))).toBeCloseTo(1 / 6, 2)
  expect(Math.max(...ditherValues.slice(0, 100_000))).toBeLessThan(1)
  expect(Math.abs(computeMean(ditherValues.map((value, index) => value * (ditherValues[index - 1] ?? 0))))).toBeLessThan(0.002)
  expect(Math.abs(computeMean(ditherValues.map((value, index) => value * (ditherValues[index - 2] ?? 0))))).toBeLessThan(0.002)
})

it('computeGainForPeak lowers only sounds whose peak exceeds full scale', () => {
  expect(computeGainForPeak(0)).toBe(1)
  expect(computeGainForPeak(0.9)).toBe(1)
  expect(toDecibels(computeGainForPeak(2))).toBeCloseTo(-6.02, 2)
})
