import fc from 'fast-check'
import { expect, it } from 'vitest'
import { designResampler, FFT_FRAMES, MAX_RATE, MIN_RATE } from './resampler-design.ts'
import { countOutputFrames, listResamplerBlocks, sourceRange } from './resampler-grid.ts'

const anyRate = fc.oneof(fc.double({ min: 0.05, max: 4, noNaN: true }), fc.constantFrom(MIN_RATE, 0.5, 1, 1.25, 2, MAX_RATE))
const runOptions = { numRuns: 40 }

it('blocks cover a range without gaps or overlaps, and use only the valid samples of each block', () => {
  fc.assert(
    fc.property(anyRate, fc.nat(500_000_000), fc.nat(100_000), (rate, firstFrame, frames) => {
      const design = designResampler(rate)
      const { startFrame, endFrame } = sourceRange(design, firstFrame, frames)
      let nextFrame = firstFrame
      for (const block of listResamplerBlocks(design, firstFrame, frames)) {
        expect(block.firstFrame).toBe(nextFrame)
        expect(block.frames).toBeGreaterThan(0)
        expect(block.inputFrame).toBeGreaterThanOrEqual(startFrame)
        expect(block.inputFrame + FFT_FRAMES).toBeLessThanOrEqual(endFrame)
        const firstSample = Math.floor(block.position + block.skippedFrames * 2 * rate) - design.tapCount / 2 + 1
        const lastFrame = Math.floor(block.position + (block.skippedFrames + block.frames - 1) * 2 * rate) + design.tapCount / 2
        // The number of samples at each end of a block that circular convolution makes invalid.
        const invalidSamples = 2 * design.leadFrames - design.tapCount / 2
        expect(firstSample).toBeGreaterThanOrEqual(invalidSamples)
        expect(lastFrame).toBeLessThanOrEqual(2 * FFT_FRAMES - invalidSamples)
        nextFrame += block.frames
      }
      expect(nextFrame).toBe(firstFrame + frames)
    }),
    runOptions,
  )
})

it('the position of a frame does not depend on the requested range', () => {
  fc.assert(
    fc.property(anyRate, fc.nat(50_000_000), fc.nat(20_000), fc.nat(20_000), (rate, firstFrame, framesBefore, framesAfter) => {
      const design = designResampler(rate)
      const singleFrameBlocks = [...listResamplerBlocks(design, firstFrame, 1)]
      const blocks = [
        ...listResamplerBlocks(design, Math.max(0, firstFrame - framesBefore), Math.min(framesBefore, firstFrame) + 1 + framesAfter),
      ]
      const block = blocks.find((each) => each.firstFrame <= firstFrame && firstFrame < each.firstFrame + each.frames)
      expect(singleFrameBlocks).toEqual([
        { ...block, skippedFrames: (block?.skippedFrames ?? 0) + firstFrame - (block?.firstFrame ?? 0), firstFrame, frames: 1 },
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
