import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLoopBetween, isWholeLoop, MIN_LOOP_S } from './loop-range.ts'

const anySeconds = fc.double({ min: 0, max: 10_000, noNaN: true })

it('createLoopBetween: a loop between two times lies within the sound, contains both times, and is never too short to be audible as a loop', () => {
  fc.assert(
    fc.property(anySeconds, anySeconds, anySeconds, (oneS, otherS, durationS) => {
      const [fromS, toS] = [Math.min(oneS, durationS), Math.min(otherS, durationS)]
      const loopRange = createLoopBetween(fromS, toS, durationS)
      expect(loopRange).toEqual(createLoopBetween(toS, fromS, durationS))
      expect(loopRange.on).toBe(true)
      expect(loopRange.startS).toBeGreaterThanOrEqual(0)
      expect(loopRange.startS).toBeLessThanOrEqual(Math.min(fromS, toS))
      expect(loopRange.endS).toBeGreaterThanOrEqual(Math.max(fromS, toS))
      expect(loopRange.endS).toBeLessThanOrEqual(durationS)
      expect(loopRange.endS - loopRange.startS).toBeGreaterThanOrEqual(Math.min(MIN_LOOP_S, durationS) - 1e-9)
    }),
  )
})

it('isWholeLoop: only a loop from the first to the last second covers the whole sound', () => {
  expect(isWholeLoop({ on: true, startS: 0, endS: 10 }, 10)).toBe(true)
  expect(isWholeLoop({ on: true, startS: 0.1, endS: 10 }, 10)).toBe(false)
  expect(isWholeLoop({ on: true, startS: 0, endS: 9.9 }, 10)).toBe(false)
})
