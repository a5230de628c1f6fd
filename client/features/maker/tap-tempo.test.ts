import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addTap, computeTappedBpm, MIN_TAPS, NO_TAPS, type TempoTaps } from './tap-tempo.ts'

const tapAtTimes = (timesMs: readonly number[], rate = 1, series: TempoTaps = NO_TAPS) =>
  timesMs.reduce((taps, timeMs) => addTap(taps, { timeMs, playbackRate: rate }), series)

test('computeTappedBpm: the tempo is the mean of the intervals, from the fourth tap on', () => {
  expect(computeTappedBpm(tapAtTimes([0, 500, 1000]))).toBeUndefined()
  expect(computeTappedBpm(tapAtTimes([0, 500, 1000, 1500]))).toBe(120)
  expect(computeTappedBpm(tapAtTimes([0, 480, 1020, 1490, 2000]))).toBe(120)
})

test('computeTappedBpm: the result is the tempo of the source, whatever the playback rate', () => {
  fc.assert(
    fc.property(fc.double({ min: 40, max: 240, noNaN: true }), fc.double({ min: 0.5, max: 1.9, noNaN: true }), (bpm, speedRate) => {
      const intervalMs = 60_000 / (bpm * speedRate)
      fc.pre(intervalMs > 150 && intervalMs < 2000)
      const times = Array.from({ length: 20 }, (_, index) => 1000 + index * intervalMs)
      expect(computeTappedBpm(tapAtTimes(times, speedRate))).toBeCloseTo(bpm, 0)
    }),
  )
})

test('addTap: a pause, a missed tap and a changed playback rate each start a new series', () => {
  const tapSeries = tapAtTimes([0, 500, 1000, 1500])
  expect(addTap(tapSeries, { timeMs: 3600, playbackRate: 1 }).tapTimesMs).toEqual([3600])
  expect(addTap(tapSeries, { timeMs: 2500, playbackRate: 1 }).tapTimesMs).toEqual([2500])
  expect(addTap(tapSeries, { timeMs: 1750, playbackRate: 1 }).tapTimesMs).toEqual([1750])
  expect(addTap(tapSeries, { timeMs: 2000, playbackRate: 1.25 }).tapTimesMs).toEqual([2000])
  expect(computeTappedBpm(tapAtTimes([4000, 4400, 4800, 5200].slice(0, MIN_TAPS), 1, tapSeries))).toBe(150)
})

test('addTap: a second event of the same tap is ignored', () => {
  expect(computeTappedBpm(tapAtTimes([0, 1, 500, 503, 1000, 1500, 1501]))).toBe(120)
})
