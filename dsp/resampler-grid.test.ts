import fc from 'fast-check'
import { expect, it } from 'vitest'
import { designResampler, FFT_FRAMES, MAX_RATE, MIN_RATE } from './resampler-design.ts'
import { computeSourceRange, countOutputFrames, listResamplerBlocks } from './resampler-grid.ts'

const anyRate = fc.oneof(fc.double({ min: 0.05, max: 4, noNaN: true }), fc.constantFrom(MIN_RATE, 0.5, 1, 1.25, 2, MAX_RATE))
const runOptions = { numRuns: 40 }

it('blocks cover a range without gaps or overlaps, and use only the valid samples of each block', () => {
  fc.assert(
    fc.property(anyRate, fc.nat(500_000_000), fc.nat(100_000), (resamplingRate, firstFrame, frameCount) => {
      const resamplerDesign = designResampler(resamplingRate)
      const { startFrame, endFrame } = computeSourceRange(resamplerDesign, firstFrame, frameCount)
      let nextFrame = firstFrame
      for (const resamplerBlock of listResamplerBlocks(resamplerDesign, firstFrame, frameCount)) {
        expect(resamplerBlock.firstFrame).toBe(nextFrame)
        expect(resamplerBlock.frames).toBeGreaterThan(0)
        expect(resamplerBlock.inputFrame).toBeGreaterThanOrEqual(startFrame)
        expect(resamplerBlock.inputFrame + FFT_FRAMES).toBeLessThanOrEqual(endFrame)
        const firstSampleIndex =
          Math.floor(resamplerBlock.position + resamplerBlock.skippedFrames * 2 * resamplingRate) - resamplerDesign.tapCount / 2 + 1
        const lastSampleIndex =
          Math.floor(resamplerBlock.position + (resamplerBlock.skippedFrames + resamplerBlock.frames - 1) * 2 * resamplingRate) +
          resamplerDesign.tapCount / 2
        // The number of samples at each end of a block that circular convolution makes invalid.
        const invalidSampleCount = 2 * resamplerDesign.leadFrames - resamplerDesign.tapCount / 2
        expect(firstSampleIndex).toBeGreaterThanOrEqual(invalidSampleCount)
        expect(lastSampleIndex).toBeLessThanOrEqual(2 * FFT_FRAMES - invalidSampleCount)
        nextFrame += resamplerBlock.frames
      }
      expect(nextFrame).toBe(firstFrame + frameCount)
    }),
    runOptions,
  )
})

it('the position of a frame does not depend on the requested range', () => {
  fc.assert(
    fc.property(anyRate, fc.nat(50_000_000), fc.nat(20_000), fc.nat(20_000), (resamplingRate, firstFrame, framesBefore, framesAfter) => {
      const resamplerDesign = designResampler(resamplingRate)
      const singleFrameBlocks = [...listResamplerBlocks(resamplerDesign, firstFrame, 1)]
      const resamplerBlocks = [
        ...listResamplerBlocks(
          resamplerDesign,
          Math.max(0, firstFrame - framesBefore),
          Math.min(framesBefore, firstFrame) + 1 + framesAfter,
        ),
      ]
      const containingBlock = resamplerBlocks.find((each) => each.firstFrame <= firstFrame && firstFrame < each.firstFrame + each.frames)
      expect(singleFrameBlocks).toEqual([
        {
          ...containingBlock,
          skippedFrames: (containingBlock?.skippedFrames ?? 0) + firstFrame - (containingBlock?.firstFrame ?? 0),
          firstFrame,
          frames: 1,
        },
      ])
    }),
    runOptions,
  )
})

it.each([
  [0, 1.25, 0],
  [1, 1, 1],
  [1, 4, 0],
  [1, 0.05, 20],
  [10_584_000, 1.25, 8_467_200],
])('countOutputFrames: %d frames at rate %d become %d', (frames, rate, expectedFrames) => {
  expect(countOutputFrames(frames, rate)).toBe(expectedFrames)
})

it('designResampler refuses rates beyond its range', () => {
  for (const rate of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, MAX_RATE * 1.01]) expect(() => designResampler(rate)).toThrow(RangeError)
})
