import { expect, it } from 'vitest'
import { formatDuration, formatLongDate, formatLongDuration, formatPlural } from './format.ts'

it.each([
  [0, '0:00'],
  [185, '3:05'],
  [59.9, '0:59'],
  [3905, '1:05:05'],
  [Number.NaN, '0:00'],
  [-4, '0:00'],
])('formatDuration: formats %d seconds as %s', (seconds, formattedDuration) => {
  expect(formatDuration(seconds)).toBe(formattedDuration)
})

it.each([
  [20, '1 min'],
  [9660, '2 h 41 min'],
  [7200, '2 h'],
])('formatLongDuration: formats %d seconds as %s', (seconds, formattedDuration) => {
  expect(formatLongDuration(seconds)).toBe(formattedDuration)
})

it('formatLongDate: the date has the long US format, in UTC', () => {
  expect(formatLongDate('2026-11-12T23:59:00.000Z')).toBe('November 12, 2026')
  expect(formatLongDate('soon')).toBe('')
})

it('formatPlural: thousands are grouped, and a plural s is added', () => {
  expect(formatPlural(1, 'song')).toBe('1 song')
  expect(formatPlural(2400, 'song')).toBe('2,400 songs')
  expect(formatPlural(1234567, 'song')).toBe('1,234,567 songs')
})
