import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RadioAiring } from '../../../contract/radio.ts'
import { airingsAt, endMsOf, startMsOf } from './airings.ts'
import { createSchedule, responseAt } from './testing/station-server.ts'

const anyDurations = fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 40, maxLength: 60 })
const anyFraction = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
const airingOf = ({ youtube_id, start_time }: RadioAiring) => `${youtube_id} ${start_time}`

/** Returns a time within an airing. */
const timeInAiring = (airing: RadioAiring | undefined, partOfSong: number) =>
  airing === undefined ? Number.NaN : startMsOf(airing) + Math.floor(partOfSong * 1000 * airing.duration)

test('clients with different responses from one schedule play the same song for as long as their known songs last', () => {
  fc.assert(
    fc.property(
      anyDurations,
      fc.nat({ max: 30 }),
      fc.nat({ max: 5 }),
      fc.nat({ max: 5 }),
      anyFraction,
      (list, firstSong, laterSongs, songsAhead, partOfSong) => {
        const schedule = createSchedule(list)
        const atMs = timeInAiring(schedule[firstSong + Math.max(laterSongs, songsAhead)], partOfSong)
        const earlyResponse = responseAt(schedule, timeInAiring(schedule[firstSong], partOfSong))
        const late = responseAt(schedule, timeInAiring(schedule[firstSong + laterSongs], partOfSong))
        const expected = schedule[firstSong + Math.max(laterSongs, songsAhead)]
        for (const answer of [earlyResponse, late]) expect(airingsAt(answer, atMs).current).toEqual(expected)
      },
    ),
  )
})

test('without a server the known songs are repeated without a gap, in the same way on all clients that have the same response', () => {
  fc.assert(
    fc.property(anyDurations, fc.nat({ max: 30 }), fc.nat({ max: 2_000 }), (list, firstSong, minutes) => {
      const schedule = createSchedule(list)
      const answer = responseAt(schedule, timeInAiring(schedule[firstSong], 0))
      let atMs = startMsOf(answer) + 60_000 * minutes
      for (let song = 0; song < 4; song++) {
        const { current, upcoming, history } = airingsAt(answer, atMs)
        expect(startMsOf(current)).toBeLessThanOrEqual(atMs)
        expect(endMsOf(current)).toBeGreaterThan(atMs)
        expect([airingsAt(answer, endMsOf(current) - 1).current, airingsAt(answer, endMsOf(current)).current].map(airingOf)).toEqual(
          [current, upcoming[0]].map(airingOf),
        )
        expect(history[0] && endMsOf(history[0])).toBe(firstSong === 0 && atMs < endMsOf(answer) ? undefined : startMsOf(current))
        atMs = endMsOf(current)
      }
    }),
  )
})

test('a song that an admin ended early ends when the next song starts', () => {
  const schedule = createSchedule([100, 100, 100, 100, 100, 100, 100, 100])
  const answer = responseAt(schedule, timeInAiring(schedule[1], 0.5))
  const [endedAiring] = answer.history
  const skipped = { ...answer, history: [{ ...answer.history[0], duration: 300 }] as RadioAiring[] }
  expect(endedAiring).toBeDefined()
  expect(airingsAt(skipped, startMsOf(answer)).current.youtube_id).toBe(answer.youtube_id)
})

test('before the start time of the first known song, this song counts as already playing', () => {
  const schedule = createSchedule([100, 100, 100])
  const answer = responseAt(schedule, timeInAiring(schedule[0], 0))
  expect(airingsAt(answer, startMsOf(answer) - 60_000).current.youtube_id).toBe(answer.youtube_id)
})
