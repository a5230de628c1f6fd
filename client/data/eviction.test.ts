import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CacheInventory, type CacheLimits, type ProtectedCacheRows, planEviction } from './eviction.ts'

const songIds = Array.from({ length: 40 }, (_, index) => `s${index}`)

const anyInventory = fc
  .record({
    lists: fc.uniqueArray(
      fc.record({
        key: fc.oneof(
          fc.nat(30).map((n) => `playlist:${n}`),
          fc.nat(9).map((n) => `search:${n}`),
          fc.constantFrom('playlists:popular', 'explore', 'feed', 'members'),
        ),
        ids: fc.array(fc.constantFrom(...songIds, 'unknown'), { maxLength: 12 }),
      }),
      { selector: (list) => list.key, maxLength: 20 },
    ),
    details: fc.uniqueArray(fc.nat(30).map((n) => `song:${n}|`)),
    storedSongs: fc.subarray(songIds),
    used: fc.dictionary(fc.nat(30).map(String), fc.nat(1000)),
    pinned: fc.subarray(
      Array.from({ length: 31 }, (_, n) => `playlist:${n}`),
      { maxLength: 6 },
    ),
  })
  .map(({ lists, details, storedSongs, used: useTimes, pinned }): CacheInventory => {
    const cacheKeys = [...lists.map((list) => list.key), ...details]
    return {
      lists,
      details,
      songIds: storedSongs,
      usedAtMs: new Map(cacheKeys.map((key, index) => [key, useTimes[String(index)] ?? 0])),
      pinnedKeys: new Set(pinned),
      songBytes: 100,
      detailBytes: 200,
    }
  })
const anyLimits: fc.Arbitrary<CacheLimits> = fc.record({ songs: fc.nat(40), lists: fc.nat(20), details: fc.nat(30), bytes: fc.nat(12_000) })
const anyReferences: fc.Arbitrary<ProtectedCacheRows> = fc.record({
  keys: fc.subarray(['playlist:1', 'playlist:2', 'search:1', 'song:3|', 'song:4|']),
  songIds: fc.subarray(songIds, { maxLength: 8 }),
})

const isPermanentKey = (key: string) => key.startsWith('playlists:') || ['explore', 'feed', 'members'].includes(key)

describe('eviction', () => {
  it('planEviction: the least recently used rows are evicted until the limits are met; pinned and referenced rows never are', () => {
    fc.assert(
      fc.property(anyInventory, anyLimits, anyReferences, (inventoryBefore, cacheLimits, protectedRows) => {
        const evictionPlan = planEviction(inventoryBefore, cacheLimits, protectedRows)
        const removedKeys = new Set([...evictionPlan.lists, ...evictionPlan.details])
        const removedSongs = new Set(evictionPlan.songIds)
        const remainingLists = inventoryBefore.lists.filter((list) => !removedKeys.has(list.key))
        const remainingDetailKeys = inventoryBefore.details.filter((key) => !removedKeys.has(key))
        const remainingSongIds = inventoryBefore.songIds.filter((id) => !removedSongs.has(id))

        for (const key of [...inventoryBefore.pinnedKeys, ...protectedRows.keys]) expect(removedKeys.has(key)).toBe(false)
        for (const id of protectedRows.songIds) expect(removedSongs.has(id)).toBe(false)
        for (const key of removedKeys) expect(isPermanentKey(key)).toBe(false)
        // Checks that a list that was not evicted still has all of its songs.
        for (const list of remainingLists) for (const id of list.ids) expect(removedSongs.has(id)).toBe(false)
        expect(evictionPlan.songIds.length).toBe(removedSongs.size)

        const isEvictableKey = (key: string) =>
          !isPermanentKey(key) && !inventoryBefore.pinnedKeys.has(key) && !protectedRows.keys.includes(key)
        const remainingBytes =
          remainingSongIds.length * 100 +
          remainingDetailKeys.length * 200 +
          remainingLists.reduce((sum, list) => sum + list.ids.length * 14, 0)
        const hasEvictableLists = remainingLists.some((list) => isEvictableKey(list.key))
        const hasEvictableDetails = remainingDetailKeys.some(isEvictableKey)
        if (hasEvictableLists) {
          expect(remainingSongIds.length).toBeLessThanOrEqual(cacheLimits.songs)
          expect(remainingLists.length).toBeLessThanOrEqual(cacheLimits.lists)
        }
        if (hasEvictableDetails) expect(remainingDetailKeys.length).toBeLessThanOrEqual(cacheLimits.details)
        if (hasEvictableLists || hasEvictableDetails) expect(remainingBytes).toBeLessThanOrEqual(cacheLimits.bytes)

        // Checks that every evicted row was used less recently than the evictable rows of the same kind that were not evicted.
        const readLastUseMs = (key: string) => inventoryBefore.usedAtMs.get(key) ?? 0
        for (const removedKeysOfTable of [evictionPlan.lists, evictionPlan.details])
          for (const removedKey of removedKeysOfTable)
            for (const remainingKey of (removedKeysOfTable === evictionPlan.lists
              ? remainingLists.map((list) => list.key)
              : remainingDetailKeys
            ).filter(isEvictableKey))
              expect(readLastUseMs(removedKey)).toBeLessThanOrEqual(readLastUseMs(remainingKey))
      }),
      { numRuns: 500 },
    )
  })

  it('planEviction: nothing is evicted while the database is below its limits', () => {
    fc.assert(
      fc.property(anyInventory, anyReferences, (inventoryBefore, referencedRows) => {
        const highLimits = { songs: 1000, lists: 1000, details: 1000, bytes: 1e9 }
        expect(planEviction(inventoryBefore, highLimits, referencedRows)).toEqual({ lists: [], details: [], songIds: [] })
      }),
    )
  })
})
