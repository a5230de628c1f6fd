import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isWholeLoop, loopBetween, MIN_LOOP_S } from './loop-range.ts'

const anySeconds = fc.double({ min: 0, max: 10_000, noNaN: true })

it('loopBetween: a loop between two times lies within the sound, contains both times, and is never too short to be audible as a loop', () => {
  fc.assert(
    fc.property(anySeconds, anySeconds, anySeconds, (oneS, otherS, durationS) => {
      const [fromS, toS] = [Math.min(oneS, durationS), Math.min(otherS, durationS)]
      const loop = loopBetween(fromS, toS, durationS)
      expect(loop).toEqual(loopBetween(toS, fromS, durationS))
      expect(loop.on).toBe(true)
      expect(loop.startS).toBeGreaterThanOrEqual(0)
      expect(loop.startS).toBeLessThanOrEqual(Math.min(fromS, toS))
      expect(loop.endS).toBeGreaterThanOrEqual(Math.max(fromS, toS))
      expect(loop.endS).toBeLessThanOrEqual(durationS)
      expect(loop.endS - loop.startS).toBeGreaterThanOrEqual(Math.min(MIN_LOOP_S, durationS) - 1e-9)
    }),
  )
})

it('isWholeLoop: only a loop from the first to the last second covers the whole sound', () => {
  expect(isWholeLoop({ on: true, startS: 0, endS: 10 }, 10)).toBe(true)
  expect(isWholeLoop({ on: true, startS: 0.1, endS: 10 }, 10)).toBe(false)
  expect(isWholeLoop({ on: true, startS: 0, endS: 9.9 }, 10)).toBe(false)
})
