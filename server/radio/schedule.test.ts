import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { airingEndMs, createSchedule, type Schedule } from './schedule.ts'
import type { Airing, StationSong } from './store.ts'

const YEAR_MS = 365 * 86_400_000
const songsOf = (count: number, durationOf: (index: number) => number = () => 180): StationSong[] =>
  Array.from({ length: count }, (_, index) => ({ id: `song-${index}`, durationS: durationOf(index) }))

/** Returns the airings from a start until `untilMs`, or `count` of them. They follow the airings in `before`. */
function airingsOf(
  schedule: Schedule,
  { count = Number.POSITIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY, before = [] as readonly Airing[] } = {},
): Airing[] {
  const previousAirings = before.slice(-21).toReversed()
  const airings: Airing[] = []
  while (airings.length < count) {
    const airing = schedule.next(previousAirings, previousAirings[0] ? airingEndMs(previousAirings[0]) : 0)
    if (airing === undefined || airing.startMs >= untilMs) break
    airings.push(airing)
    previousAirings.unshift(airing)
    previousAirings.splice(21)
  }
  return airings
}

/** Returns the smallest number of airings from one airing of a song to its next. */
function smallestGap(airings: readonly Airing[]): number {
  const lastAirings = new Map<string, number>()
  let gap = Number.POSITIVE_INFINITY
  for (const [index, { songId }] of airings.entries()) {
    gap = Math.min(gap, index - (lastAirings.get(songId) ?? Number.NEGATIVE_INFINITY))
    lastAirings.set(songId, index)
  }
  return gap
}

describe('radio schedule', () => {
  it('within a year, every song is played, the airings of a song are more than n/2 songs apart (of n songs), no time is left empty, and all processes agree', {
    tags: ['long'],
  }, () => {
    const songs = songsOf(300, (index) => 90 + ((index * 37) % 300))
    const airings = airingsOf(createSchedule('a/main', songs), { untilMs: YEAR_MS })
    expect(airings.length).toBeGreaterThan(100_000)
    expect(new Set(airings.map(({ songId }) => songId)).size).toBe(songs.length)
    expect(smallestGap(airings)).toBeGreaterThan(songs.length / 2)
    for (const [index, airing] of airings.entries()) if (index > 0) expect(airing.startMs).toBe(airingEndMs(airings[index - 1] as Airing))
    // Simulates another process, which reads the songs from the database in another order and starts in the middle of the schedule.
    const before = airings.slice(0, 50_001)
    expect(airingsOf(createSchedule('a/main', songs.toReversed()), { before, count: 1000 })).toEqual(airings.slice(50_001, 51_001))
  })

  it('for any number n of songs, a round plays each song once, and the airings of a song are more than n/2 songs apart', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.string(), (songCount, station) => {
        const airings = airingsOf(createSchedule(station, songsOf(songCount)), { count: 6 * songCount })
        for (let round = 0; round < 6; round++)
          expect(new Set(airings.slice(round * songCount, (round + 1) * songCount).map(({ songId }) => songId)).size).toBe(songCount)
        expect(smallestGap(airings)).toBeGreaterThan(songCount / 2)
      }),
    )
  })

  it('the order of the songs differs between stations and between rounds', () => {
    const songs = songsOf(40)
    const roundOf = (station: string, round: number) =>
      airingsOf(createSchedule(station, songs), { count: 40 * (round + 1) })
        .slice(-40)
        .map(({ songId }) => songId)
        .join()
    expect(new Set([roundOf('a/main', 0), roundOf('a/main', 1), roundOf('b/main', 0), roundOf('a/newcomers', 0)]).size).toBe(4)
  })

  it('if songs are added or removed in the middle of a round, no other song is repeated or skipped, except those that move to the other half', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 8, max: 80 }),
        fc.integer({ min: 1, max: 4 }),
        fc.nat(),
        fc.boolean(),
        (songCount, changedCount, changeIndex, isAdded) => {
          const [songsBefore, songsAfter] = isAdded
            ? [songsOf(songCount), songsOf(songCount + changedCount)]
            : [songsOf(songCount), songsOf(songCount - changedCount)]
          const airings = airingsOf(createSchedule('s', songsBefore), { count: 1 + (changeIndex % (2 * songCount)) })
          const laterAirings = airingsOf(createSchedule('s', songsAfter), { before: airings, count: 3 * songCount })
          const remainingIds = new Set(songsAfter.map(({ id }) => id))
          for (const { songId } of laterAirings) expect(remainingIds.has(songId)).toBe(true)
          expect(smallestGap(laterAirings)).toBeGreaterThan(songsAfter.length / 2)
          // A song that moved from one half of the round to the other is not repeated soon.
          const allAirings = [...airings, ...laterAirings]
          const recentCount = Math.min(20, Math.floor(songsAfter.length / 2))
          for (let place = airings.length; place < allAirings.length; place++) {
            const recentIds = allAirings.slice(Math.max(0, place - recentCount), place).map(({ songId }) => songId)
            expect(recentIds).not.toContain(allAirings[place]?.songId)
          }
          // At most `changedCount` songs move to the other half, because the boundary moves by half of this number.
          const round = airings.at(-1)?.round
          const playedIds = [...airings, ...laterAirings].filter((airing) => airing.round === round).map(({ songId }) => songId)
          expect(playedIds.length - new Set(playedIds).size).toBeLessThanOrEqual(changedCount)
          // Up to the same number of songs is skipped, because they were among the last of the previous round.
          expect(songsBefore.filter(({ id }) => remainingIds.has(id) && !playedIds.includes(id)).length).toBeLessThanOrEqual(
            2 * changedCount,
          )
        },
      ),
    )
  })

  it('a station without songs plays nothing; a station with a single song repeats it', () => {
    expect(createSchedule('s', []).next([], 0)).toBeUndefined()
    expect(airingsOf(createSchedule('s', songsOf(1)), { count: 3 }).map(({ round }) => round)).toEqual([0, 1, 2])
  })

  it('100,000 songs are ordered within a fraction of a second', () => {
    const schedule = createSchedule('s', songsOf(100_000))
    expect(airingsOf(schedule, { count: 3000 }).length).toBe(3000)
  })
})
