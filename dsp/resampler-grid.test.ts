import fc from 'fast-check'
import { expect, it } from 'vitest'
import { designResampler, FFT_FRAMES, MAX_RATE, MIN_RATE } from './resampler-design.ts'
import { blocksOf, outputFrames, sourceRange } from './resampler-grid.ts'

const rates = fc.oneof(fc.double({ min: 0.05, max: 4, noNaN: true }), fc.constantFrom(MIN_RATE, 0.5, 1, 1.25, 2, MAX_RATE))
const limits = { numRuns: 40 }

it('covers a range once, without a gap, within what each block can give', () => {
  fc.assert(
    fc.property(rates, fc.nat(500_000_000), fc.nat(100_000), (rate, firstFrame, frames) => {
      const design = designResampler(rate)
      const { startFrame, endFrame } = sourceRange(design, firstFrame, frames)
      let next = firstFrame
      for (const block of blocksOf(design, firstFrame, frames)) {
        expect(block.firstFrame).toBe(next)
        expect(block.frames).toBeGreaterThan(0)
        expect(block.inputFrame).toBeGreaterThanOrEqual(startFrame)
        expect(block.inputFrame + FFT_FRAMES).toBeLessThanOrEqual(endFrame)
        const first = Math.floor(block.position + block.skip * 2 * rate) - design.taps / 2 + 1
        const last = Math.floor(block.position + (block.skip + block.frames - 1) * 2 * rate) + design.taps / 2
        // Where the filtering goes round is nothing to use.
        const unusable = 2 * design.leadFrames - design.taps / 2
        expect(first).toBeGreaterThanOrEqual(unusable)
        expect(last).toBeLessThanOrEqual(2 * FFT_FRAMES - unusable)
        next += block.frames
      }
      expect(next).toBe(firstFrame + frames)
    }),
    limits,
  )
})

it('puts a frame at the same position, whatever was asked for beside it', () => {
  fc.assert(
    fc.property(rates, fc.nat(50_000_000), fc.nat(20_000), fc.nat(20_000), (rate, firstFrame, before, after) => {
      const design = designResampler(rate)
      const alone = [...blocksOf(design, firstFrame, 1)]
      const among = [...blocksOf(design, Math.max(0, firstFrame - before), Math.min(before, firstFrame) + 1 + after)]
      const block = among.find((each) => each.firstFrame <= firstFrame && firstFrame < each.firstFrame + each.frames)
      expect(alone).toEqual([{ ...block, skip: (block?.skip ?? 0) + firstFrame - (block?.firstFrame ?? 0), firstFrame, frames: 1 }])
    }),
    limits,
  )
})

it.each([
  [0, 1.25, 0],
  [1, 1, 1],
  [1, 4, 0],
  [1, 0.05, 20],
  [10_584_000, 1.25, 8_467_200],
])('%d frames at rate %d become %d', (frames, rate, expected) => {
  expect(outputFrames(frames, rate)).toBe(expected)
})

it('refuses rates that it cannot keep', () => {
  for (const rate of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, MAX_RATE * 1.01]) expect(() => designResampler(rate)).toThrow(RangeError)
})
