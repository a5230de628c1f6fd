import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Holdings, type Limits, planEviction, type Spared } from './eviction.ts'

const songIds = Array.from({ length: 40 }, (_, index) => `s${index}`)

const holdings = fc
  .record({
    lists: fc.uniqueArray(
      fc.record({
        key: fc.oneof(
          fc.nat(30).map((n) => `playlist:${n}`),
          fc.nat(9).map((n) => `search:${n}`),
          fc.constantFrom('playlists:popular', 'explore', 'feed'),
        ),
        ids: fc.array(fc.constantFrom(...songIds, 'unknown'), { maxLength: 12 }),
      }),
      { selector: (list) => list.key, maxLength: 20 },
    ),
    details: fc.uniqueArray(fc.nat(30).map((n) => `song:${n}|`)),
    held: fc.subarray(songIds),
    used: fc.dictionary(fc.nat(30).map(String), fc.nat(1000)),
    kept: fc.subarray(
      Array.from({ length: 31 }, (_, n) => `playlist:${n}`),
      { maxLength: 6 },
    ),
  })
  .map(({ lists, details, held, used, kept }): Holdings => {
    const keys = [...lists.map((list) => list.key), ...details]
    return {
      lists,
      details,
      songIds: held,
      usedAtMs: new Map(keys.map((key, index) => [key, used[String(index)] ?? 0])),
      keptKeys: new Set(kept),
      songBytes: 100,
      detailBytes: 200,
    }
  })
const limits: fc.Arbitrary<Limits> = fc.record({ songs: fc.nat(40), lists: fc.nat(20), details: fc.nat(30), bytes: fc.nat(12_000) })
const spared: fc.Arbitrary<Spared> = fc.record({
  keys: fc.subarray(['playlist:1', 'playlist:2', 'search:1', 'song:3|', 'song:4|']),
  songIds: fc.subarray(songIds, { maxLength: 8 }),
})

const isPermanent = (key: string) => key.startsWith('playlists:') || key === 'explore' || key === 'feed'

describe('eviction', () => {
  it('spares what was kept, is shown or is queued; takes the longest unused; and ends below the limits where it may', () => {
    fc.assert(
      fc.property(holdings, limits, spared, (before, limit, spare) => {
        const removal = planEviction(before, limit, spare)
        const removed = new Set([...removal.lists, ...removal.details])
        const gone = new Set(removal.songIds)
        const lists = before.lists.filter((list) => !removed.has(list.key))
        const details = before.details.filter((key) => !removed.has(key))
        const songs = before.songIds.filter((id) => !gone.has(id))

        for (const key of [...before.keptKeys, ...spare.keys]) expect(removed.has(key)).toBe(false)
        for (const id of spare.songIds) expect(gone.has(id)).toBe(false)
        for (const key of removed) expect(isPermanent(key)).toBe(false)
        // A list that stays keeps its songs.
        for (const list of lists) for (const id of list.ids) expect(gone.has(id)).toBe(false)
        expect(removal.songIds.length).toBe(gone.size)

        const mayGo = (key: string) => !isPermanent(key) && !before.keptKeys.has(key) && !spare.keys.includes(key)
        const bytes = songs.length * 100 + details.length * 200 + lists.reduce((sum, list) => sum + list.ids.length * 14, 0)
        const moreLists = lists.some((list) => mayGo(list.key))
        const moreDetails = details.some(mayGo)
        if (moreLists) {
          expect(songs.length).toBeLessThanOrEqual(limit.songs)
          expect(lists.length).toBeLessThanOrEqual(limit.lists)
        }
        if (moreDetails) expect(details.length).toBeLessThanOrEqual(limit.details)
        if (moreLists || moreDetails) expect(bytes).toBeLessThanOrEqual(limit.bytes)

        // Of each kind, nothing that went was used later than something that could have gone and stayed.
        const used = (key: string) => before.usedAtMs.get(key) ?? 0
        for (const kind of [removal.lists, removal.details])
          for (const key of kind)
            for (const stayed of (kind === removal.lists ? lists.map((list) => list.key) : details).filter(mayGo))
              expect(used(key)).toBeLessThanOrEqual(used(stayed))
      }),
      { numRuns: 500 },
    )
  })

  it('removes nothing below the limits', () => {
    fc.assert(
      fc.property(holdings, spared, (before, spare) => {
        const roomy = { songs: 1000, lists: 1000, details: 1000, bytes: 1e9 }
        expect(planEviction(before, roomy, spare)).toEqual({ lists: [], details: [], songIds: [] })
      }),
    )
  })
})
