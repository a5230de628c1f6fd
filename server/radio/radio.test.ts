import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findBrandOfHost } from '../../brands/registry.ts'
import { createRadio } from './radio.ts'
import type { StationSong } from './store.ts'
import { createRadioMemoryStore } from './testing/radio-memory-store.ts'

const START_MS = Date.UTC(2026, 0, 1)
const YEAR_MS = 365 * 86_400_000
const testBrand = findBrandOfHost('localhost')

const createStationSongs = (count: number, durationOf: (index: number) => number): StationSong[] =>
  Array.from({ length: count }, (_, index) => ({ id: `song-${index}`, durationS: durationOf(index) }))

function startStation(songs: readonly StationSong[], excludedIds?: readonly string[]) {
  const clock = { nowMs: START_MS }
  const memoryStore = createRadioMemoryStore(songs, excludedIds)
  const radio = createRadio({
    radio: memoryStore,
    settings: { readForBrand: async () => ({}) },
    revision: () => 1,
    nowMs: () => clock.nowMs,
  })
  const readOnAir = async () => {
    const playing = await radio.onAir(testBrand, 'main')
    if (playing === undefined) throw new Error('The station has no songs')
    return playing
  }
  return { clock, onAir: readOnAir, store: memoryStore }
}

it('radio: if n songs are playable, at least n/2 (rounded down) other songs are played before a song is repeated', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat({ max: 11 }), { minLength: 1, maxLength: 8 }), async (excludedNumbers) => {
      const excludedIds = excludedNumbers.map((index) => `song-${index}`)
      const { clock, onAir } = startStation(
        createStationSongs(12, () => 100),
        excludedIds,
      )
      const playableCount = 12 - excludedIds.length
      const playedIds: string[] = []
      for (let airingIndex = 0; airingIndex < 4 * playableCount; airingIndex++) {
        const { youtube_id, upcoming } = await onAir()
        expect(excludedIds).not.toContain(youtube_id)
        expect(playedIds.slice(-Math.floor(playableCount / 2))).not.toContain(youtube_id)
        playedIds.push(youtube_id)
        clock.nowMs = Date.parse(upcoming[0]?.start_time ?? '')
      }
      expect(new Set(playedIds).size).toBe(playableCount)
    }),
  )
})

it('radio: while the database cannot be read, the song on air plays to its end', async () => {
  const { clock, onAir, store } = startStation(createStationSongs(4, () => 100))
  const playingAiring = await onAir()
  const { read } = store
  store.read = () => Promise.reject(new Error('the database is gone'))
  for (clock.nowMs += 2000; clock.nowMs < START_MS + 100_000; clock.nowMs += 10_000) expect(await onAir()).toEqual(playingAiring)
  clock.nowMs = START_MS + 100_000
  await expect(onAir()).rejects.toThrow('the database is gone')
  store.read = read
  expect((await onAir()).youtube_id).toBe(playingAiring.next.youtube_id)
})

it('radio: after a downtime of any length, the radio plays the same song as without the downtime', async () => {
  for (const songs of [
    createStationSongs(1, () => 30),
    createStationSongs(4, (index) => 60 + index),
    createStationSongs(50, (index) => 90 + 7 * index),
  ]) {
    const [steadyStation, sleepingStation] = [startStation(songs), startStation(songs)]
    let playingAiring = await steadyStation.onAir()
    expect(await sleepingStation.onAir()).toEqual(playingAiring)
    for (let song = 0; song < 1000; song++) {
      steadyStation.clock.nowMs = Date.parse(playingAiring.next.start_time)
      playingAiring = await steadyStation.onAir()
    }
    sleepingStation.clock.nowMs = steadyStation.clock.nowMs
    expect(await sleepingStation.onAir()).toEqual(playingAiring)
  }
})

it('radio: after a downtime of a thousand years, the current song is found quickly, even if the only song has one second', async () => {
  const { clock, onAir } = startStation(createStationSongs(1, () => 1))
  await onAir()
  clock.nowMs += 1000 * YEAR_MS
  const { start_time, history } = await onAir()
  expect(Date.parse(start_time)).toBe(clock.nowMs)
  expect(history).toHaveLength(20)
})

it('radio: if the clock is set back, a song starts anew, instead of starting in the future', async () => {
  const { clock, onAir } = startStation(createStationSongs(30, () => 100))
  clock.nowMs = START_MS + 3_600_000
  await onAir()
  clock.nowMs = START_MS
  expect(await onAir()).toMatchObject({ start_time: new Date(START_MS).toISOString(), history: [] })
})
