import { expect, it } from 'vitest'
import { brandOfHost } from '../../brands/registry.ts'
import type { Song } from '../../contract/song.ts'
import type { Airing, RadioStore, StationState } from '../storage/interfaces/radio.ts'
import { createRadio } from './radio.ts'

const START_MS = Date.UTC(2026, 0, 1)
const YEAR_MS = 365 * 86_400_000
const SONG_COUNT = 300
const brand = brandOfHost('localhost')

const songs = Array.from({ length: SONG_COUNT }, (_, index) => ({ id: `song-${index}`, durationS: 90 + ((index * 37) % 300) }))
const songOf = (id: string): Song => ({
  youtube_id: id,
  youtube_url: id,
  title: id,
  author_name: 'Somebody',
  category_id: 'all',
  category_name: 'All',
  date_added: '2026-01-01T00:00:00Z',
  new: 'false',
})

/** A store in memory, which processes share. */
function createMemoryStore(): RadioStore {
  let stored: StationState | undefined
  const isSame = (a: Airing | undefined, b: Airing | undefined) => a?.songId === b?.songId && a?.startMs === b?.startMs
  return {
    listSongs: async () => songs,
    listExcluded: async () => ['song-7'],
    readSongs: async (ids) => ids.map(songOf),
    read: async () => stored,
    async advance(_brandId, _station, from, to) {
      if (!isSame(stored?.airing, from)) return false
      stored = to
      return true
    },
    exchangeListeners: async () => [],
  }
}

it('radio: in a year each playable song is heard, none twice within half of the songs, and two processes play the same', async () => {
  const clock = { nowMs: START_MS }
  const radio = createMemoryStore()
  const startProcess = () =>
    createRadio({ radio, settings: { readForBrand: async () => ({}) }, revision: () => 1, nowMs: () => clock.nowMs })
  let [one, other] = [startProcess(), startProcess()]
  const lastPlace = new Map<string, number>()
  let [place, smallestGap] = [0, Number.POSITIVE_INFINITY]
  for (let next = START_MS; next < START_MS + YEAR_MS; place++) {
    clock.nowMs = next
    const onAir = place % 2 === 0 ? await one.onAir(brand, 'main') : await other.onAir(brand, 'main')
    if (onAir === undefined) throw new Error('The station has no songs')
    expect(Date.parse(onAir.start_time)).toBe(next)
    if (place % 100 === 0) {
      // One process starts anew, and the other one reads what the first one stored.
      one = startProcess()
      expect([await one.onAir(brand, 'main'), await other.onAir(brand, 'main')]).toEqual([onAir, onAir])
    }
    if (place % 1000 === 999) other = startProcess()
    smallestGap = Math.min(smallestGap, place - (lastPlace.get(onAir.youtube_id) ?? Number.NEGATIVE_INFINITY))
    lastPlace.set(onAir.youtube_id, place)
    next += 1000 * onAir.duration
  }
  expect(place).toBeGreaterThan(100_000)
  expect(lastPlace.size).toBe(SONG_COUNT - 1)
  expect(lastPlace.has('song-7')).toBe(false)
  expect(smallestGap).toBeGreaterThanOrEqual(SONG_COUNT / 2)
}, 300_000)
