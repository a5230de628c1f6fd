import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addTap, MIN_TAPS, NO_TAPS, type TempoTaps, tappedBpm } from './tap-tempo.ts'

const tapAt = (timesMs: readonly number[], rate = 1, series: TempoTaps = NO_TAPS) =>
  timesMs.reduce((taps, timeMs) => addTap(taps, { timeMs, rate }), series)

test('tappedBpm: the tempo is the mean of the intervals, from the fourth tap on', () => {
  expect(tappedBpm(tapAt([0, 500, 1000]))).toBeUndefined()
  expect(tappedBpm(tapAt([0, 500, 1000, 1500]))).toBe(120)
  expect(tappedBpm(tapAt([0, 480, 1020, 1490, 2000]))).toBe(120)
})

test('tappedBpm: the result is the tempo of the source, whatever the playback rate', () => {
  fc.assert(
    fc.property(fc.double({ min: 40, max: 240, noNaN: true }), fc.double({ min: 0.5, max: 1.9, noNaN: true }), (bpm, rate) => {
      const intervalMs = 60_000 / (bpm * rate)
      fc.pre(intervalMs > 150 && intervalMs < 2000)
      const times = Array.from({ length: 20 }, (_, index) => 1000 + index * intervalMs)
      expect(tappedBpm(tapAt(times, rate))).toBeCloseTo(bpm, 0)
    }),
  )
})

test('addTap: a pause, a missed tap and a changed playback rate each start a new series', () => {
  const series = tapAt([0, 500, 1000, 1500])
  expect(addTap(series, { timeMs: 3600, rate: 1 }).timesMs).toEqual([3600])
  expect(addTap(series, { timeMs: 2500, rate: 1 }).timesMs).toEqual([2500])
  expect(addTap(series, { timeMs: 1750, rate: 1 }).timesMs).toEqual([1750])
  expect(addTap(series, { timeMs: 2000, rate: 1.25 }).timesMs).toEqual([2000])
  expect(tappedBpm(tapAt([4000, 4400, 4800, 5200].slice(0, MIN_TAPS), 1, series))).toBe(150)
})

test('addTap: a second event of the same tap is ignored', () => {
  expect(tappedBpm(tapAt([0, 1, 500, 503, 1000, 1500, 1501]))).toBe(120)
})
