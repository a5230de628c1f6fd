import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RadioAiring } from '../../../contract/radio.ts'
import { computeEndMs, findAiringsAt, parseStartMs } from './airings.ts'
import { createResponseAt, createSchedule } from './testing/station-server.ts'

const anyDurations = fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 40, maxLength: 60 })
const anyFraction = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
const describeAiring = ({ youtube_id, start_time }: RadioAiring) => `${youtube_id} ${start_time}`

/** Returns a time within an airing. */
const computeTimeInAiring = (airing: RadioAiring | undefined, partOfSong: number) =>
  airing === undefined ? Number.NaN : parseStartMs(airing) + Math.floor(partOfSong * 1000 * airing.duration)

test('clients with different responses from one schedule play the same song for as long as their known songs last', () => {
  fc.assert(
    fc.property(
      anyDurations,
      fc.nat({ max: 30 }),
      fc.nat({ max: 5 }),
      fc.nat({ max: 5 }),
      anyFraction,
      (durationsS, firstSongIndex, laterSongCount, aheadSongCount, songFraction) => {
        const schedule = createSchedule(durationsS)
        const atMs = computeTimeInAiring(schedule[firstSongIndex + Math.max(laterSongCount, aheadSongCount)], songFraction)
        const earlyResponse = createResponseAt(schedule, computeTimeInAiring(schedule[firstSongIndex], songFraction))
        const late = createResponseAt(schedule, computeTimeInAiring(schedule[firstSongIndex + laterSongCount], songFraction))
        const expected = schedule[firstSongIndex + Math.max(laterSongCount, aheadSongCount)]
        for (const answer of [earlyResponse, late]) expect(findAiringsAt(answer, atMs).current).toEqual(expected)
      },
    ),
  )
})

test('without a server the known songs are repeated without a gap, in the same way on all clients that have the same response', () => {
  fc.assert(
    fc.property(anyDurations, fc.nat({ max: 30 }), fc.nat({ max: 2_000 }), (durationsS, firstSongIndex, offsetMinutes) => {
      const schedule = createSchedule(durationsS)
      const stationResponse = createResponseAt(schedule, computeTimeInAiring(schedule[firstSongIndex], 0))
      let atMs = parseStartMs(stationResponse) + 60_000 * offsetMinutes
      for (let songIndex = 0; songIndex < 4; songIndex++) {
        const { current, upcoming, history } = findAiringsAt(stationResponse, atMs)
        expect(parseStartMs(current)).toBeLessThanOrEqual(atMs)
        expect(computeEndMs(current)).toBeGreaterThan(atMs)
        expect(
          [
            findAiringsAt(stationResponse, computeEndMs(current) - 1).current,
            findAiringsAt(stationResponse, computeEndMs(current)).current,
          ].map(describeAiring),
        ).toEqual([current, upcoming[0]].map(describeAiring))
        expect(history[0] && computeEndMs(history[0])).toBe(
          firstSongIndex === 0 && atMs < computeEndMs(stationResponse) ? undefined : parseStartMs(current),
        )
        atMs = computeEndMs(current)
      }
    }),
  )
})

test('a song that an admin ended early ends when the next song starts', () => {
  const schedule = createSchedule([100, 100, 100, 100, 100, 100, 100, 100])
  const stationResponse = createResponseAt(schedule, computeTimeInAiring(schedule[1], 0.5))
  const [endedAiring] = stationResponse.history
  const skipped = { ...stationResponse, history: [{ ...stationResponse.history[0], duration: 300 }] as RadioAiring[] }
  expect(endedAiring).toBeDefined()
  expect(findAiringsAt(skipped, parseStartMs(stationResponse)).current.youtube_id).toBe(stationResponse.youtube_id)
})

test('before the start time of the first known song, this song counts as already playing', () => {
  const schedule = createSchedule([100, 100, 100])
  const answer = createResponseAt(schedule, computeTimeInAiring(schedule[0], 0))
  expect(findAiringsAt(answer, parseStartMs(answer) - 60_000).current.youtube_id).toBe(answer.youtube_id)
})
