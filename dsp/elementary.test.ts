import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cosPi, exp2, exp10, sinPi } from './elementary.ts'

const anyNumber = fc.double({ min: -1000, max: 1000, noNaN: true })
/** The tolerance: two units in the last place of numbers from 0.5 to 1. */
const TWO_ULPS = 2 ** -52

it('sinPi and cosPi are exact at multiples of a quarter turn', () => {
  expect([0, 0.5, 1, 1.5, 2, -0.5, 1001.5].map(sinPi).map((value) => value + 0)).toEqual([0, 1, 0, -1, 0, -1, -1])
  expect([0, 0.5, 1, 1.5, 2, -0.5, 1000].map(cosPi).map((value) => value + 0)).toEqual([1, 0, -1, 0, 1, 0, 1])
})

it('sinPi and cosPi agree with Math.sin and Math.cos', () => {
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (x) => {
      // The product pi x is rounded, so `Math.sin` and `Math.cos` of the product are not exact.
      const tolerance = TWO_ULPS * (1 + Math.PI * Math.abs(x))
      expect(Math.abs(sinPi(x) - Math.sin(Math.PI * x))).toBeLessThanOrEqual(tolerance)
      expect(Math.abs(cosPi(x) - Math.cos(Math.PI * x))).toBeLessThanOrEqual(tolerance)
    }),
  )
})

it('sinPi is an odd function, cosPi an even one, both have a period of 2, and their squares add up to 1', () => {
  fc.assert(
    fc.property(anyNumber, fc.integer({ min: -100, max: 100 }), (x, periodCount) => {
      expect(Math.abs(sinPi(-x) + sinPi(x))).toBeLessThanOrEqual(TWO_ULPS)
      expect(Math.abs(cosPi(-x) - cosPi(x))).toBeLessThanOrEqual(TWO_ULPS)
      const laterX = x + 2 * periodCount
      if (laterX - 2 * periodCount === x && laterX - x === 2 * periodCount)
        expect(Math.abs(sinPi(laterX) - sinPi(x))).toBeLessThanOrEqual(TWO_ULPS)
      expect(Math.abs(sinPi(x) * sinPi(x) + cosPi(x) * cosPi(x) - 1)).toBeLessThanOrEqual(2 * TWO_ULPS)
    }),
  )
})

it('exp2 is exact at integers; exp2 and exp10 agree with the operator ** elsewhere', () => {
  for (let exponent = -60; exponent <= 60; exponent++) expect(Math.log2(exp2(exponent))).toBe(exponent)
  fc.assert(
    fc.property(fc.double({ min: -10, max: 10, noNaN: true }), (x) => {
      expect(Math.abs(exp2(x) / 2 ** x - 1)).toBeLessThanOrEqual(2 * TWO_ULPS)
      // The product of x and log2(10) is rounded, so the result is not exact.
      expect(Math.abs(exp10(x) / 10 ** x - 1)).toBeLessThanOrEqual(TWO_ULPS * (2 + 4 * Math.abs(x)))
    }),
  )
})
