import { expect, it } from 'vitest'
import { findBrandOfHost } from '../../brands/registry.ts'
import { createRadio } from './radio.ts'
import { createRadioMemoryStore } from './testing/radio-memory-store.ts'

const START_MS = Date.UTC(2026, 0, 1)
const YEAR_MS = 365 * 86_400_000
const SONG_COUNT = 300
const testBrand = findBrandOfHost('localhost')

const stationSongs = Array.from({ length: SONG_COUNT }, (_, index) => ({ id: `song-${index}`, durationS: 90 + ((index * 37) % 300) }))

it('radio: in a year, every playable song is played, a song is repeated only after at least half as many songs as there are, and two processes play the same', async () => {
  const clock = { nowMs: START_MS }
  const radio = createRadioMemoryStore(stationSongs, ['song-7'])
  const startProcess = () =>
    createRadio({ radio, settings: { readForBrand: async () => ({}) }, revision: () => 1, nowMs: () => clock.nowMs })
  let [firstProcess, secondProcess] = [startProcess(), startProcess()]
  const lastPlaceBySongId = new Map<string, number>()
  let [placeIndex, smallestGap] = [0, Number.POSITIVE_INFINITY]
  for (let nextStartMs = START_MS; nextStartMs < START_MS + YEAR_MS; placeIndex++) {
    clock.nowMs = nextStartMs
    const onAir = placeIndex % 2 === 0 ? await firstProcess.onAir(testBrand, 'main') : await secondProcess.onAir(testBrand, 'main')
    if (onAir === undefined) throw new Error('The station has no songs')
    expect(Date.parse(onAir.start_time)).toBe(nextStartMs)
    if (placeIndex % 100 === 0) {
      // One process is started again and has an empty memory. The other process reads the state that the first one has stored.
      firstProcess = startProcess()
      expect([await firstProcess.onAir(testBrand, 'main'), await secondProcess.onAir(testBrand, 'main')]).toEqual([onAir, onAir])
    }
    if (placeIndex % 1000 === 999) secondProcess = startProcess()
    smallestGap = Math.min(smallestGap, placeIndex - (lastPlaceBySongId.get(onAir.youtube_id) ?? Number.NEGATIVE_INFINITY))
    lastPlaceBySongId.set(onAir.youtube_id, placeIndex)
    nextStartMs += 1000 * onAir.duration
  }
  expect(placeIndex).toBeGreaterThan(100_000)
  expect(lastPlaceBySongId.size).toBe(SONG_COUNT - 1)
  expect(lastPlaceBySongId.has('song-7')).toBe(false)
  expect(smallestGap).toBeGreaterThanOrEqual(SONG_COUNT / 2)
}, 300_000)
