import fc from 'fast-check'
import { expect, it } from 'vitest'
import { referenceKernel } from './reference/kernel.ts'
import { designSteps, resampleInSteps, stepsSourceRange } from './resample-steps.ts'
import { MAX_RATE, MIN_RATE } from './resampler-design.ts'
import { wasmKernel } from './testing/kernels.ts'
import { expectSameSamples, largestDifference } from './testing/samples.ts'
import { residueDb, toneSnrDb, toneSource } from './testing/tone.ts'

const kernel = wasmKernel()

/** Renders 1000 frames of a tone. */
function renderTone(rate: number, frequencyHz: number, firstFrame: number) {
  const steps = designSteps(rate)
  const { startFrame, endFrame } = stepsSourceRange(steps, firstFrame, 1000)
  const tone = { frequencyHz, firstFrame: startFrame, frames: endFrame - startFrame }
  const output = new Float32Array(2 * 1000)
  resampleInSteps(kernel, steps, toneSource(tone), firstFrame, output)
  return { tone, output }
}

it.each([MAX_RATE * 1.01, 12, 40, MAX_RATE ** 2, MIN_RATE / 1.01, 0.01, MIN_RATE ** 2])(
  'resample steps: a tone that is resampled at rate %d is clean',
  (rate) => {
    const frequencyHz = Math.min(997, 8000 / rate)
    const firstFrame = Math.ceil(20_000 / rate)
    const { tone, output } = renderTone(rate, frequencyHz, firstFrame)
    expect(toneSnrDb(tone, rate, firstFrame, output)).toBeGreaterThan(130)
  },
)

it('a tone above the highest frequency of the output is filtered out at rate 12', () => {
  expect(residueDb(renderTone(12, 2500, 3000).output)).toBeLessThan(-130)
})

it('with two resampling steps, a frame has the same bits in any requested range, and nearly the same value in both kernels', () => {
  const noise = Float32Array.from({ length: 60_000 }, (_, index) => Math.sin(index * index))
  const anyRate = fc.constantFrom(8.5, 16, 0.012, 0.0005)
  fc.assert(
    fc.property(anyRate, fc.nat(2000), fc.integer({ min: 1, max: 600 }), fc.boolean(), (rate, firstFrame, frames, isMono) => {
      const steps = designSteps(rate)
      const channelsOf = (samples: Float32Array) => (isMono ? ([samples] as const) : ([samples, samples.map((sample) => -sample)] as const))
      const channels = isMono ? 1 : 2
      const completeOutput = new Float32Array(channels * (firstFrame + frames))
      resampleInSteps(kernel, steps, { channels: channelsOf(noise), startFrame: 0 }, 0, completeOutput)
      const range = stepsSourceRange(steps, firstFrame, frames)
      const startFrame = Math.max(0, range.startFrame)
      const source = { channels: channelsOf(noise.slice(startFrame, Math.max(startFrame, range.endFrame))), startFrame }
      const output = new Float32Array(channels * frames)
      resampleInSteps(kernel, steps, source, firstFrame, output)
      expectSameSamples(output, completeOutput.subarray(channels * firstFrame))
      const expectedSamples = new Float32Array(output.length)
      resampleInSteps(referenceKernel, steps, source, firstFrame, expectedSamples)
      expect(largestDifference(output, expectedSamples)).toBeLessThan(2 ** -19)
    }),
    { numRuns: 20 },
  )
})

it.each([0, -1, Number.NaN, MAX_RATE ** 2 * 1.01, MIN_RATE ** 2 / 1.01])('resample steps: a rate of %d is refused', (rate) => {
  expect(() => designSteps(rate)).toThrow(RangeError)
})
