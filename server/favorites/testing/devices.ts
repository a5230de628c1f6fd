import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { FavoriteChange, FavoriteSyncResult } from '../../../contract/favorite.ts'
import { createSongRow, formatSongId, type StorageFixture, songReadOptions } from '../../storage/testing/fixture.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const DEVICE_IDS = ['11111111-0000-4000-8000-000000000000', '22222222-0000-4000-8000-000000000000', 'eeeeeeee-0000-4000-8000-000000000000']
const KNOWN_SONG_COUNT = 3

interface FavoriteRow {
  favorite: boolean
  at: number
  device: string
  claimedAtMs: number
}

/** Creates an in-memory reference model of the merge rules. */
function createReferenceModel() {
  const rowBySongId = new Map<string, FavoriteRow>()
  const appliedIds = new Set<string>()
  let nextVersion = 0
  return {
    rows: rowBySongId,
    version: () => nextVersion,
    tell(changes: readonly FavoriteChange[], nowMs: number): string[] {
      const refusedIds: string[] = []
      const seenSongs = new Set<string>()
      for (const { id, s, favorite, at, device } of changes) {
        if (appliedIds.has(id) || seenSongs.has(id)) continue
        seenSongs.add(id)
        if (favorite && s > formatSongId(KNOWN_SONG_COUNT)) {
          refusedIds.push(id)
          continue
        }
        const favoriteRow = rowBySongId.get(s)
        // Removing a song that is neither stored nor in the catalogue has no effect.
        if (favoriteRow === undefined && s > formatSongId(KNOWN_SONG_COUNT)) continue
        appliedIds.add(id)
        const claimedMs = Date.parse(at)
        const changedAtMs = Math.min(Math.max(claimedMs, Date.parse('2000-01-01T00:00:00Z')), nowMs)
        if (favoriteRow === undefined) rowBySongId.set(s, { favorite, at: changedAtMs, device, claimedAtMs: claimedMs })
        else if (favoriteRow.device === device) {
          if (claimedMs < favoriteRow.claimedAtMs) continue
          rowBySongId.set(s, { favorite, at: Math.max(changedAtMs, favoriteRow.at), device, claimedAtMs: claimedMs })
        } else {
          if (changedAtMs < favoriteRow.at) continue
          if (changedAtMs === favoriteRow.at && device < favoriteRow.device) continue
          rowBySongId.set(s, { favorite, at: changedAtMs, device, claimedAtMs: claimedMs })
        }
        nextVersion += 1
      }
      return refusedIds
    },
  }
}

const anyChange = fc.record({
  n: fc.integer({ min: 1, max: KNOWN_SONG_COUNT + 1 }),
  favorite: fc.boolean(),
  atMs: fc.oneof(
    fc.integer({ min: NOW_MS - 3, max: NOW_MS + 6 }),
    fc.constantFrom(0, Date.UTC(9999, 11, 31, 23, 59, 59, 999), NOW_MS + 86_400_000),
  ),
})
/** A request of a device. It contains new changes, and repeats earlier changes of this and of other devices. */
const anyCall = fc.record({
  device: fc.nat(DEVICE_IDS.length - 1),
  changes: fc.array(anyChange, { maxLength: 4 }),
  again: fc.array(fc.nat(30), { maxLength: 3 }),
  /** Change of the server's clock since the previous request; may be negative. */
  laterMs: fc.integer({ min: -1, max: 2 }),
  /** Whether the device never receives the response. */
  lost: fc.boolean(),
})

/** Checks the store against the reference model. Random devices send changes of a few songs, and some responses are lost. */
export async function checkStoreAgainstModel({ storage: { favorites }, importRows }: StorageFixture, numRuns: number): Promise<void> {
  await importRows({ songs: Array.from({ length: KNOWN_SONG_COUNT }, (_, i) => createSongRow(i + 1)) })
  await fc.assert(
    fc.asyncProperty(fc.array(anyCall, { maxLength: 12 }), async (deviceCalls) => {
      const uid = randomUUID()
      const referenceModel = createReferenceModel()
      const allChanges: FavoriteChange[] = []
      const deviceReplicas = DEVICE_IDS.map(() => ({ since: undefined as string | undefined, rows: new Map<string, string>() }))
      const applyResponse = (
        deviceReplica: (typeof deviceReplicas)[number],
        { whole: isWhole, favorites: favoriteStates, cursor }: FavoriteSyncResult,
      ) => {
        if (isWhole) deviceReplica.rows.clear()
        for (const { s, favorite, at } of favoriteStates) {
          if (favorite) deviceReplica.rows.set(s, at)
          else deviceReplica.rows.delete(s)
        }
        deviceReplica.since = cursor
      }
      const syncDevice = (since: string | undefined, changes: FavoriteChange[], nowMs: number) =>
        favorites.sync(uid, { changes, ...(since !== undefined && { since }) }, nowMs, songReadOptions)

      let nowMs = NOW_MS
      for (const { device, changes, again: isRepeated, laterMs, lost: isResponseLost } of deviceCalls) {
        nowMs += laterMs
        const deviceReplica = deviceReplicas[device] ?? deviceReplicas[0]
        if (deviceReplica === undefined) throw new TypeError('There are no devices')
        const freshChanges = changes.map(({ n, favorite, atMs }) => ({
          id: randomUUID(),
          s: formatSongId(n),
          favorite,
          at: new Date(atMs).toISOString(),
          device: DEVICE_IDS[device] ?? '',
        }))
        allChanges.push(...freshChanges)
        const sentChanges = [...isRepeated.flatMap((index) => allChanges.slice(index, index + 1)), ...freshChanges]
        const response = await syncDevice(deviceReplica.since, sentChanges, nowMs)
        expect(response.refused.map(({ id }) => id)).toEqual(referenceModel.tell(sentChanges, nowMs))
        if (!isResponseLost) applyResponse(deviceReplica, response)
      }
      // Sends all changes again in reverse order.
      const syncBeforeRepeat = await syncDevice(undefined, [], nowMs)
      const refusedIdsOfRepeat = new Set((await syncDevice(undefined, allChanges.toReversed(), nowMs)).refused.map(({ id }) => id))
      expect(
        allChanges
          .filter(({ id }) => refusedIdsOfRepeat.has(id))
          .every(({ favorite, s }) => favorite && s > formatSongId(KNOWN_SONG_COUNT)),
      ).toBe(true)
      const completeSync = await syncDevice(undefined, [], nowMs)
      expect(completeSync).toEqual(syncBeforeRepeat)
      expect(Number(completeSync.cursor.split('.')[1])).toBe(referenceModel.version())

      const expectedRows = [...referenceModel.rows].filter(([, row]) => row.favorite).map(([s, row]) => [s, new Date(row.at).toISOString()])
      for (const replica of deviceReplicas) {
        applyResponse(replica, await syncDevice(replica.since, [], nowMs))
        expect([...replica.rows].sort()).toEqual(expectedRows.sort())
      }
    }),
    { numRuns },
  )
}
