import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { KernelSource } from '../kernel.ts'
import { resample } from '../reference/resample.ts'
import { designResampler, MAX_RATE, MIN_RATE } from '../resampler-design.ts'
import { computeSourceRange } from '../resampler-grid.ts'
import { loadWasmKernel } from '../testing/kernels.ts'
import { expectSameSamples, findLargestDifference } from '../testing/samples.ts'
import { measureToneSnrDb, synthesizeTone } from '../testing/tone.ts'

const testKernel = loadWasmKernel()
const anyRate = fc.oneof(fc.double({ min: 0.05, max: 4, noNaN: true }), fc.constantFrom(MIN_RATE, 0.5, 1, 1.25, 2, MAX_RATE))
const synthesizeNoise = (seed: number) => Float32Array.from({ length: 20_000 }, (_, index) => Math.sin(seed + index * index))
const leftSamples = synthesizeNoise(1)
const rightSamples = synthesizeNoise(2)
const kernelSources: KernelSource[] = [
  { channels: [leftSamples, rightSamples], startFrame: 0 },
  { channels: [leftSamples], startFrame: 0 },
]

it('the compiled resampler agrees with the reference within 2^-20 of full scale', () => {
  fc.assert(
    fc.property(
      anyRate,
      fc.nat(30_000),
      fc.integer({ min: 1, max: 3000 }),
      fc.constantFrom(...kernelSources),
      (resamplingRate, firstFrame, frameCount, source) => {
        const resamplerDesign = designResampler(resamplingRate)
        const expectedSamples = new Float32Array(frameCount * source.channels.length)
        const outputSamples = new Float32Array(expectedSamples.length)
        resample(resamplerDesign, source, firstFrame, expectedSamples)
        testKernel.resample(resamplerDesign, source, firstFrame, outputSamples)
        expect(findLargestDifference(outputSamples, expectedSamples)).toBeLessThan(2 ** -20)
      },
    ),
    { numRuns: 60 },
  )
})

it('a frame has the same bits in any range, inside kernel memory or outside, computed from the complete source or only from its source range', () => {
  const kernelArray = testKernel.allocate(2 * 3000)
  fc.assert(
    fc.property(anyRate, fc.nat(20_000), fc.integer({ min: 1, max: 3000 }), (resamplingRate, firstFrame, frameCount) => {
      const resamplerDesign = designResampler(resamplingRate)
      const completeOutput = new Float32Array(2 * (firstFrame + frameCount))
      testKernel.resample(resamplerDesign, { channels: [leftSamples, rightSamples], startFrame: 0 }, 0, completeOutput)
      const neededRange = computeSourceRange(resamplerDesign, firstFrame, frameCount)
      const rangeStart = Math.max(0, neededRange.startFrame)
      const rangeEnd = Math.max(rangeStart, neededRange.endFrame)
      const renderedSamples = kernelArray.subarray(0, 2 * frameCount)
      testKernel.resample(
        resamplerDesign,
        { channels: [leftSamples.slice(rangeStart, rangeEnd), rightSamples.slice(rangeStart, rangeEnd)], startFrame: rangeStart },
        firstFrame,
        renderedSamples,
      )
      expectSameSamples(renderedSamples, completeOutput.subarray(2 * firstFrame))
    }),
    { numRuns: 40 },
  )
})

it.each([0.05, 0.8, 1, 1.25, 2, 4])('resample: at rate %d a tone has an SNR above 135 dB', (resamplingRate) => {
  const sourceTone = { frequencyHz: 997, frames: 24_000 }
  const outputSamples = new Float32Array(2 * 5000)
  testKernel.resample(
    designResampler(resamplingRate),
    synthesizeTone(sourceTone),
    Math.ceil(1600 / resamplingRate),
    outputSamples.subarray(0, 2 * Math.floor(5000 / Math.max(1, resamplingRate))),
  )
  const validOutput = outputSamples.subarray(0, 2 * Math.floor(5000 / Math.max(1, resamplingRate)))
  expect(measureToneSnrDb(sourceTone, resamplingRate, Math.ceil(1600 / resamplingRate), validOutput)).toBeGreaterThan(135)
})

it('allocating more than the maximum of the memory throws a RangeError', () => {
  expect(() => testKernel.allocate(2 ** 24)).toThrow(RangeError)
})
