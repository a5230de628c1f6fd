import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSchedule, endMs, type Schedule, type StationSong, type Turn } from './schedule.ts'

const YEAR_MS = 365 * 86_400_000
const songsOf = (count: number, durationOf: (index: number) => number = () => 180): StationSong[] =>
  Array.from({ length: count }, (_, index) => ({ id: `song-${index}`, durationS: durationOf(index) }))

/** Returns the turns from a start until `untilMs`, or `count` of them. */
function turnsOf(
  schedule: Schedule,
  { count = Number.POSITIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY, after = undefined as Turn | undefined } = {},
): Turn[] {
  const turns: Turn[] = []
  for (
    let turn = schedule.next(after, after ? endMs(after) : 0);
    turn && turns.length < count && turn.startMs < untilMs;
    turn = schedule.next(turn, endMs(turn))
  )
    turns.push(turn)
  return turns
}

/** Returns the least number of turns from a turn of a song to the next turn of that song. */
function smallestGap(turns: readonly Turn[]): number {
  const lastTurns = new Map<string, number>()
  let gap = Number.POSITIVE_INFINITY
  for (const [index, { songId }] of turns.entries()) {
    gap = Math.min(gap, index - (lastTurns.get(songId) ?? Number.NEGATIVE_INFINITY))
    lastTurns.set(songId, index)
  }
  return gap
}

describe('radio schedule', () => {
  it('a year: every song is heard, none twice within half of the songs, without a gap in time, and all processes agree', () => {
    const songs = songsOf(300, (index) => 90 + ((index * 37) % 300))
    const turns = turnsOf(createSchedule('a/main', songs), { untilMs: YEAR_MS })
    expect(turns.length).toBeGreaterThan(100_000)
    expect(new Set(turns.map(({ songId }) => songId)).size).toBe(songs.length)
    expect(smallestGap(turns)).toBeGreaterThan(songs.length / 2)
    for (const [index, turn] of turns.entries()) if (index > 0) expect(turn.startMs).toBe(endMs(turns[index - 1] as Turn))
    // Another process reads the songs in another order, and starts in the middle.
    const after = turns[50_000]
    expect(turnsOf(createSchedule('a/main', songs.toReversed()), { after, count: 1000 })).toEqual(turns.slice(50_001, 51_001))
  })

  it('for any number of songs: a round plays each song once, and none is played twice within half of them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.string(), (count, station) => {
        const turns = turnsOf(createSchedule(station, songsOf(count)), { count: 6 * count })
        for (let round = 0; round < 6; round++)
          expect(new Set(turns.slice(round * count, (round + 1) * count).map(({ songId }) => songId)).size).toBe(count)
        expect(smallestGap(turns)).toBeGreaterThan(count / 2)
      }),
    )
  })

  it('stations and rounds differ in their order', () => {
    const songs = songsOf(40)
    const roundOf = (station: string, round: number) =>
      turnsOf(createSchedule(station, songs), { count: 40 * (round + 1) })
        .slice(-40)
        .map(({ songId }) => songId)
        .join()
    expect(new Set([roundOf('a/main', 0), roundOf('a/main', 1), roundOf('b/main', 0), roundOf('a/newcomers', 0)]).size).toBe(4)
  })

  it('songs that are added or removed in the middle of a round neither repeat nor skip the others, except those that change the half', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 8, max: 80 }),
        fc.integer({ min: 1, max: 4 }),
        fc.nat(),
        fc.boolean(),
        (count, changed, at, isAdded) => {
          const [before, after] = isAdded ? [songsOf(count), songsOf(count + changed)] : [songsOf(count), songsOf(count - changed)]
          const turns = turnsOf(createSchedule('s', before), { count: 1 + (at % (2 * count)) })
          const later = turnsOf(createSchedule('s', after), { after: turns.at(-1), count: 3 * count })
          const kept = new Set(after.map(({ id }) => id))
          for (const { songId } of later) expect(kept.has(songId)).toBe(true)
          expect(smallestGap(later)).toBeGreaterThan(after.length / 2)
          // At most `changed` songs move to the other half, because the boundary moves by half of that.
          const round = turns.at(-1)?.round
          const heard = [...turns, ...later].filter((turn) => turn.round === round).map(({ songId }) => songId)
          expect(heard.length - new Set(heard).size).toBeLessThanOrEqual(changed)
          expect(before.filter(({ id }) => kept.has(id) && !heard.includes(id)).length).toBeLessThanOrEqual(changed)
        },
      ),
    )
  })

  it('a station without songs plays nothing; one song follows itself', () => {
    expect(createSchedule('s', []).next(undefined, 0)).toBeUndefined()
    expect(turnsOf(createSchedule('s', songsOf(1)), { count: 3 }).map(({ round }) => round)).toEqual([0, 1, 2])
  })

  it('100,000 songs are ordered within a fraction of a second', () => {
    const schedule = createSchedule('s', songsOf(100_000))
    expect(turnsOf(schedule, { count: 3000 }).length).toBe(3000)
  })
})
