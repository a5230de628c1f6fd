import fc from 'fast-check'
import { expect, it } from 'vitest'
import { referenceKernel } from './reference/kernel.ts'
import { computeStepsSourceRange, designSteps, resampleInSteps } from './resample-steps.ts'
import { MAX_RATE, MIN_RATE } from './resampler-design.ts'
import { loadWasmKernel } from './testing/kernels.ts'
import { expectSameSamples, findLargestDifference } from './testing/samples.ts'
import { measureResidueDb, measureToneSnrDb, synthesizeTone } from './testing/tone.ts'

const testKernel = loadWasmKernel()

/** Renders 1000 frames of a tone. */
function renderTone(resamplingRate: number, frequencyHz: number, firstFrame: number) {
  const resampleSteps = designSteps(resamplingRate)
  const { startFrame, endFrame } = computeStepsSourceRange(resampleSteps, firstFrame, 1000)
  const sourceTone = { frequencyHz, firstFrame: startFrame, frames: endFrame - startFrame }
  const output = new Float32Array(2 * 1000)
  resampleInSteps(testKernel, resampleSteps, synthesizeTone(sourceTone), firstFrame, output)
  return { tone: sourceTone, output }
}

it.each([MAX_RATE * 1.01, 12, 40, MAX_RATE ** 2, MIN_RATE / 1.01, 0.01, MIN_RATE ** 2])(
  'resample steps: a tone that is resampled at rate %d is clean',
  (resamplingRate) => {
    const frequencyHz = Math.min(997, 8000 / resamplingRate)
    const firstFrame = Math.ceil(20_000 / resamplingRate)
    const { tone, output } = renderTone(resamplingRate, frequencyHz, firstFrame)
    expect(measureToneSnrDb(tone, resamplingRate, firstFrame, output)).toBeGreaterThan(130)
  },
)

it('a tone above the highest frequency of the output is filtered out at rate 12', () => {
  expect(measureResidueDb(renderTone(12, 2500, 3000).output)).toBeLessThan(-130)
})

it('with two resampling steps, a frame has the same bits in any requested range, and nearly the same value in both kernels', () => {
  const noiseSource = Float32Array.from({ length: 60_000 }, (_, index) => Math.sin(index * index))
  const anyRate = fc.constantFrom(8.5, 16, 0.012, 0.0005)
  fc.assert(
    fc.property(anyRate, fc.nat(2000), fc.integer({ min: 1, max: 600 }), fc.boolean(), (resamplingRate, firstFrame, frameCount, isMono) => {
      const resampleSteps = designSteps(resamplingRate)
      const toChannels = (samples: Float32Array) => (isMono ? ([samples] as const) : ([samples, samples.map((sample) => -sample)] as const))
      const channelCount = isMono ? 1 : 2
      const completeOutput = new Float32Array(channelCount * (firstFrame + frameCount))
      resampleInSteps(testKernel, resampleSteps, { channels: toChannels(noiseSource), startFrame: 0 }, 0, completeOutput)
      const sourceRange = computeStepsSourceRange(resampleSteps, firstFrame, frameCount)
      const startFrame = Math.max(0, sourceRange.startFrame)
      const noiseExcerpt = { channels: toChannels(noiseSource.slice(startFrame, Math.max(startFrame, sourceRange.endFrame))), startFrame }
      const outputSamples = new Float32Array(channelCount * frameCount)
      resampleInSteps(testKernel, resampleSteps, noiseExcerpt, firstFrame, outputSamples)
      expectSameSamples(outputSamples, completeOutput.subarray(channelCount * firstFrame))
      const expectedSamples = new Float32Array(outputSamples.length)
      resampleInSteps(referenceKernel, resampleSteps, noiseExcerpt, firstFrame, expectedSamples)
      expect(findLargestDifference(outputSamples, expectedSamples)).toBeLessThan(2 ** -19)
    }),
    { numRuns: 20 },
  )
})

it.each([0, -1, Number.NaN, MAX_RATE ** 2 * 1.01, MIN_RATE ** 2 / 1.01])('resample steps: a rate of %d is refused', (rate) => {
  expect(() => designSteps(rate)).toThrow(RangeError)
})
