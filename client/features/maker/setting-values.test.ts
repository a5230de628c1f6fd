import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatDecimals, PITCH_DECIMALS, PITCH_RANGE, roundToDecimals, roundToStep, SPEED_DECIMALS, SPEED_RANGE } from './setting-values.ts'

it.each([
  [1.17, 1.15],
  [1.2, 1.2],
  [0.3, 0.3],
  [9, 2],
])('roundToStep: the speed %d is rounded to the slider step %d', (value, step) => expect(roundToStep(value, SPEED_RANGE)).toBe(step))

it('roundToDecimals: rounding changes a value within the range by at most half of the last decimal', () => {
  for (const [settingRange, decimalCount] of [
    [SPEED_RANGE, SPEED_DECIMALS],
    [PITCH_RANGE, PITCH_DECIMALS],
  ] as const)
    fc.assert(
      fc.property(fc.double({ min: settingRange.min, max: settingRange.max, noNaN: true }), (settingValue) => {
        const rounded = roundToDecimals(settingValue, decimalCount, settingRange)
        expect(Math.abs(rounded - settingValue)).toBeLessThanOrEqual(0.5 * 10 ** -decimalCount + 1e-9)
        expect(formatDecimals(rounded, 0, decimalCount)).toBe(String(rounded))
      }),
    )
})

it('roundToDecimals: a value outside of the range becomes the limit of the range', () => {
  expect([-5, 0.0004, 2.001].map((value) => roundToDecimals(value, SPEED_DECIMALS, SPEED_RANGE))).toEqual([0.1, 0.1, 2])
})

it.each([
  [1.2, '1.20'],
  [1.175, '1.175'],
  [-0.5, '-0.50'],
])('formatDecimals: %d with two to three decimals is %s', (value, text) => expect(formatDecimals(value, 2, 3)).toBe(text))
