import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { KernelSource } from '../kernel.ts'
import { resample } from '../reference/resample.ts'
import { designResampler, MAX_RATE, MIN_RATE } from '../resampler-design.ts'
import { sourceRange } from '../resampler-grid.ts'
import { wasmKernel } from '../testing/kernels.ts'
import { expectSameSamples, largestDifference } from '../testing/samples.ts'
import { toneSnrDb, toneSource } from '../testing/tone.ts'

const kernel = wasmKernel()
const anyRate = fc.oneof(fc.double({ min: 0.05, max: 4, noNaN: true }), fc.constantFrom(MIN_RATE, 0.5, 1, 1.25, 2, MAX_RATE))
const noiseSamples = (seed: number) => Float32Array.from({ length: 20_000 }, (_, index) => Math.sin(seed + index * index))
const left = noiseSamples(1)
const right = noiseSamples(2)
const sources: KernelSource[] = [
  { channels: [left, right], startFrame: 0 },
  { channels: [left], startFrame: 0 },
]

it('the compiled resampler agrees with the reference within 2^-20 of full scale', () => {
  fc.assert(
    fc.property(
      anyRate,
      fc.nat(30_000),
      fc.integer({ min: 1, max: 3000 }),
      fc.constantFrom(...sources),
      (rate, firstFrame, frames, source) => {
        const design = designResampler(rate)
        const expectedSamples = new Float32Array(frames * source.channels.length)
        const output = new Float32Array(expectedSamples.length)
        resample(design, source, firstFrame, expectedSamples)
        kernel.resample(design, source, firstFrame, output)
        expect(largestDifference(output, expectedSamples)).toBeLessThan(2 ** -20)
      },
    ),
    { numRuns: 60 },
  )
})

it('a frame has the same bits in any range, inside kernel memory or outside, computed from the complete source or only from its sourceRange', () => {
  const kernelArray = kernel.allocate(2 * 3000)
  fc.assert(
    fc.property(anyRate, fc.nat(20_000), fc.integer({ min: 1, max: 3000 }), (rate, firstFrame, frames) => {
      const design = designResampler(rate)
      const completeOutput = new Float32Array(2 * (firstFrame + frames))
      kernel.resample(design, { channels: [left, right], startFrame: 0 }, 0, completeOutput)
      const range = sourceRange(design, firstFrame, frames)
      const start = Math.max(0, range.startFrame)
      const end = Math.max(start, range.endFrame)
      const renderedSamples = kernelArray.subarray(0, 2 * frames)
      kernel.resample(
        design,
        { channels: [left.slice(start, end), right.slice(start, end)], startFrame: start },
        firstFrame,
        renderedSamples,
      )
      expectSameSamples(renderedSamples, completeOutput.subarray(2 * firstFrame))
    }),
    { numRuns: 40 },
  )
})

it.each([0.05, 0.8, 1, 1.25, 2, 4])('resample: at rate %d a tone has an SNR above 135 dB', (rate) => {
  const tone = { frequencyHz: 997, frames: 24_000 }
  const output = new Float32Array(2 * 5000)
  kernel.resample(
    designResampler(rate),
    toneSource(tone),
    Math.ceil(1600 / rate),
    output.subarray(0, 2 * Math.floor(5000 / Math.max(1, rate))),
  )
  const validOutput = output.subarray(0, 2 * Math.floor(5000 / Math.max(1, rate)))
  expect(toneSnrDb(tone, rate, Math.ceil(1600 / rate), validOutput)).toBeGreaterThan(135)
})

it('allocating more than the maximum of the memory throws a RangeError', () => {
  expect(() => kernel.allocate(2 ** 24)).toThrow(RangeError)
})
