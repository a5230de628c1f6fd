import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeAiringEndMs, createSchedule, type Schedule } from './schedule.ts'
import type { Airing, StationSong } from './store.ts'

const YEAR_MS = 365 * 86_400_000
const createStationSongs = (count: number, durationOf: (index: number) => number = () => 180): StationSong[] =>
  Array.from({ length: count }, (_, index) => ({ id: `song-${index}`, durationS: durationOf(index) }))

/** Returns the airings from a start until `untilMs`, or `count` of them. They follow the airings in `before`. */
function listAirings(
  schedule: Schedule,
  { count = Number.POSITIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY, before = [] as readonly Airing[] } = {},
): Airing[] {
  const previousAirings = before.slice(-21).toReversed()
  const allAirings: Airing[] = []
  while (allAirings.length < count) {
    const nextAiring = schedule.next(previousAirings, previousAirings[0] ? computeAiringEndMs(previousAirings[0]) : 0)
    if (nextAiring === undefined || nextAiring.startMs >= untilMs) break
    allAirings.push(nextAiring)
    previousAirings.unshift(nextAiring)
    previousAirings.splice(21)
  }
  return allAirings
}

/** Returns the smallest number of airings from one airing of a song to its next. */
function findSmallestGap(airings: readonly Airing[]): number {
  const lastIndexBySongId = new Map<string, number>()
  let smallestGap = Number.POSITIVE_INFINITY
  for (const [index, { songId }] of airings.entries()) {
    smallestGap = Math.min(smallestGap, index - (lastIndexBySongId.get(songId) ?? Number.NEGATIVE_INFINITY))
    lastIndexBySongId.set(songId, index)
  }
  return smallestGap
}

describe('radio schedule', () => {
  it('within a year, every song is played, the airings of a song are more than n/2 songs apart (of n songs), no time is left empty, and all processes agree', {
    tags: ['long'],
  }, () => {
    const songs = createStationSongs(300, (index) => 90 + ((index * 37) % 300))
    const yearAirings = listAirings(createSchedule('a/main', songs), { untilMs: YEAR_MS })
    expect(yearAirings.length).toBeGreaterThan(100_000)
    expect(new Set(yearAirings.map(({ songId }) => songId)).size).toBe(songs.length)
    expect(findSmallestGap(yearAirings)).toBeGreaterThan(songs.length / 2)
    for (const [index, airing] of yearAirings.entries())
      if (index > 0) expect(airing.startMs).toBe(computeAiringEndMs(yearAirings[index - 1] as Airing))
    // Simulates another process, which reads the songs from the database in another order and starts in the middle of the schedule.
    const before = yearAirings.slice(0, 50_001)
    expect(listAirings(createSchedule('a/main', songs.toReversed()), { before, count: 1000 })).toEqual(yearAirings.slice(50_001, 51_001))
  })

  it('for any number n of songs, a round plays each song once, and the airings of a song are more than n/2 songs apart', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.string(), (songCount, stationKey) => {
        const listedAirings = listAirings(createSchedule(stationKey, createStationSongs(songCount)), { count: 6 * songCount })
        for (let round = 0; round < 6; round++)
          expect(new Set(listedAirings.slice(round * songCount, (round + 1) * songCount).map(({ songId }) => songId)).size).toBe(songCount)
        expect(findSmallestGap(listedAirings)).toBeGreaterThan(songCount / 2)
      }),
    )
  })

  it('the order of the songs differs between stations and between rounds', () => {
    const songs = createStationSongs(40)
    const listRound = (stationKey: string, roundNumber: number) =>
      listAirings(createSchedule(stationKey, songs), { count: 40 * (roundNumber + 1) })
        .slice(-40)
        .map(({ songId }) => songId)
        .join()
    expect(new Set([listRound('a/main', 0), listRound('a/main', 1), listRound('b/main', 0), listRound('a/newcomers', 0)]).size).toBe(4)
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
            ? [createStationSongs(songCount), createStationSongs(songCount + changedCount)]
            : [createStationSongs(songCount), createStationSongs(songCount - changedCount)]
          const airingsBefore = listAirings(createSchedule('s', songsBefore), { count: 1 + (changeIndex % (2 * songCount)) })
          const laterAirings = listAirings(createSchedule('s', songsAfter), { before: airingsBefore, count: 3 * songCount })
          const remainingIds = new Set(songsAfter.map(({ id }) => id))
          for (const { songId } of laterAirings) expect(remainingIds.has(songId)).toBe(true)
          expect(findSmallestGap(laterAirings)).toBeGreaterThan(songsAfter.length / 2)
          // A song that moved from one half of the round to the other is not repeated soon.
          const allAirings = [...airingsBefore, ...laterAirings]
          const recentCount = Math.min(20, Math.floor(songsAfter.length / 2))
          for (let place = airingsBefore.length; place < allAirings.length; place++) {
            const recentIds = allAirings.slice(Math.max(0, place - recentCount), place).map(({ songId }) => songId)
            expect(recentIds).not.toContain(allAirings[place]?.songId)
          }
          // At most `changedCount` songs move to the other half, because the boundary moves by half of this number.
          const lastRound = airingsBefore.at(-1)?.round
          const playedIds = [...airingsBefore, ...laterAirings].filter((airing) => airing.round === lastRound).map(({ songId }) => songId)
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
    expect(listAirings(createSchedule('s', createStationSongs(1)), { count: 3 }).map(({ round }) => round)).toEqual([0, 1, 2])
  })

  it('100,000 songs are ordered within a fraction of a second', () => {
    const schedule = createSchedule('s', createStationSongs(100_000))
    expect(listAirings(schedule, { count: 3000 }).length).toBe(3000)
  })
})
