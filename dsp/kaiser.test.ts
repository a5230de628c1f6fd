import { expect, it } from 'vitest'
import { besselI0, computeKaiserAttenuationDb, computeKaiserOrder, createKaiserWindow } from './kaiser.ts'

it.each([
  // The expected values are from table 9.8 of Abramowitz and Stegun, which lists exp(-x) I0(x).
  [0, 1],
  [1, 1.2660658777520084],
  [5, 27.239871823604442],
  [10, 2815.7166284662544],
])('besselI0: the value at %d is %d', (x, value) => {
  expect(besselI0(x) / value).toBeCloseTo(1, 14)
})

it('the Kaiser window is 1 at the centre, even, decreasing, and 0 outside of its range', () => {
  const computeWindow = createKaiserWindow(12)
  expect(computeWindow(0)).toBe(1)
  expect(computeWindow(0.3)).toBe(computeWindow(-0.3))
  expect(computeWindow(0.3)).toBeGreaterThan(computeWindow(0.31))
  expect(computeWindow(1)).toBeCloseTo(1 / besselI0(12), 15)
  expect(computeWindow(1.0001)).toBe(0)
})

it('computeKaiserAttenuationDb is the inverse of computeKaiserOrder', () => {
  expect(computeKaiserAttenuationDb(computeKaiserOrder(136, 0.2), 0.2)).toBeCloseTo(136, 10)
})
