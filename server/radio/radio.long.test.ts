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
  const lastAiringIndexBySongId = new Map<string, number>()
  let [airingIndex, smallestGap] = [0, Number.POSITIVE_INFINITY]
  for (let nextStartMs = START_MS; nextStartMs < START_MS + YEAR_MS; airingIndex++) {
    clock.nowMs = nextStartMs
    const onAir = airingIndex % 2 === 0 ? await firstProcess.onAir(testBrand, 'main') : await secondProcess.onAir(testBrand, 'main')
    if (onAir === undefined) throw new Error('The station has no songs')
    expect(Date.parse(onAir.start_time)).toBe(nextStartMs)
    if (airingIndex % 100 === 0) {
      // One process is started again and has an empty memory. The other process reads the state that the first one has stored.
      firstProcess = startProcess()
      expect([await firstProcess.onAir(testBrand, 'main'), await secondProcess.onAir(testBrand, 'main')]).toEqual([onAir, onAir])
    }
    if (airingIndex % 1000 === 999) secondProcess = startProcess()
    smallestGap = Math.min(smallestGap, airingIndex - (lastAiringIndexBySongId.get(onAir.youtube_id) ?? Number.NEGATIVE_INFINITY))
    lastAiringIndexBySongId.set(onAir.youtube_id, airingIndex)
    nextStartMs += 1000 * onAir.duration
  }
  expect(airingIndex).toBeGreaterThan(100_000)
  expect(lastAiringIndexBySongId.size).toBe(SONG_COUNT - 1)
  expect(lastAiringIndexBySongId.has('song-7')).toBe(false)
  expect(smallestGap).toBeGreaterThanOrEqual(SONG_COUNT / 2)
}, 300_000)
