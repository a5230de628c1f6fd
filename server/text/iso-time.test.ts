import { expect, it } from 'vitest'
import { formatIsoTime } from './iso-time.ts'

it('a time is formatted as by toISOString, also when it occurs again and after very many others', () => {
  const times = [0, -1, Date.UTC(2012, 1, 29), 8.64e15, ...Array.from({ length: 10_001 }, (_, index) => index * 86_400_000)]
  const isoTexts = times.map((epochMs) => new Date(epochMs).toISOString())
  for (const _attempt of ['new', 'again']) expect(times.map(formatIsoTime).join()).toBe(isoTexts.join())
  expect(() => formatIsoTime(Number.NaN)).toThrow(RangeError)
})
