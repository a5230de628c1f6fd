import { describe, expect, it } from 'vitest'
import { estimateRowBytes, putList, putSongs } from './catalogue-rows.ts'
import { isQuotaError } from './device-database.ts'
import { clearCache, evictAboveLimits } from './eviction.ts'
import { startHousekeeping } from './housekeeping.ts'
import type { LocalDatabase, PinnedPlaylistRow, Tables } from './local-database.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { openDiskDatabase } from './open-database.ts'
import { wrapInDeviceDatabase } from './testing/databases.ts'
import { createTestSong } from './testing/rows.ts'

const noReferences = { keys: [], songIds: [] }
const createTestSongs = (firstIndex: number, count: number) =>
  Array.from({ length: count }, (_, index) => createTestSong(firstIndex + index))

async function putPlaylist(database: LocalDatabase, playlistId: string, firstIndex: number, songCount: number, usedAtMs: number) {
  await database.change(async (tables) => {
    const songRows = createTestSongs(firstIndex, songCount)
    await tables.songs.put(songRows)
    await putList(
      tables,
      `playlist:${playlistId}`,
      songRows.map((song) => song.youtube_id),
      true,
    )
    await tables.visits.put([{ key: `playlist:${playlistId}`, fetchedAtMs: usedAtMs, usedAtMs }])
  })
}
const createPinnedRow = (playlistId: string): PinnedPlaylistRow => ({
  id: playlistId,
  title: playlistId,
  keptAtMs: 0,
  state: 'done',
  songCount: 0,
  pictures: [],
  rowBytes: 0,
  pictureBytes: 0,
})
const readListKeys = (database: LocalDatabase) => database.read(async (tables) => (await tables.lists.keys()).sort())

/** A database in which a write exceeds the quota if it would then have more than `capacity.songs` songs. */
function createSmallDisk(capacity: { songs: number }): LocalDatabase {
  const memoryDatabase = createMemoryDatabase()
  return {
    ...memoryDatabase,
    change: (changeRows) =>
      memoryDatabase.change(async (tables: Tables) => {
        await changeRows({
          ...tables,
          songs: {
            ...tables.songs,
            async put(newRows) {
              if ((await tables.songs.count()) + newRows.length > capacity.songs) throw new DOMException('full', 'QuotaExceededError')
              await tables.songs.put(newRows)
            },
          },
        })
      }),
  }
}

describe('housekeeping', () => {
  it('housekeeping: the least recently used rows are evicted, never pinned rows or rows that are shown', async () => {
    const database = createMemoryDatabase()
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) await putPlaylist(database, id, index * 10, 10, index)
    await database.change((tables) => tables.pinned.put([createPinnedRow('a')]))
    await evictAboveLimits(
      database,
      { songs: 20, lists: 100, details: 10, bytes: 1e9 },
      { keys: ['playlist:b'], songIds: [createTestSong(25).youtube_id] },
    )
    expect(await readListKeys(database)).toEqual(['playlist:a', 'playlist:b', 'playlist:d'])
    expect(await database.read((tables) => tables.songs.get(createTestSong(25).youtube_id))).toBeDefined()
    expect(await database.read((tables) => tables.songs.count())).toBe(31)
    await clearCache(database, noReferences)
    expect(await readListKeys(database)).toEqual(['playlist:a'])
    expect(await database.read((tables) => tables.songs.count())).toBe(10)
  })

  it('housekeeping: many pinned songs and favorites do not displace the rows of a visited playlist', async () => {
    const database = createMemoryDatabase()
    await putPlaylist(database, 'a', 0, 50, 0)
    await database.change((tables) => tables.pinned.put([createPinnedRow('a')]))
    await putPlaylist(database, 'b', 50, 10, 1)
    const favoriteIds = createTestSongs(100, 40).map((song) => song.youtube_id)
    await database.change(async (tables) => {
      await putSongs(tables, createTestSongs(100, 40))
      await tables.favorites.put([{ uid: 'ann', cursor: '1', ids: favoriteIds, atMs: favoriteIds.map((_, index) => index) }])
    })
    await evictAboveLimits(database, { songs: 20, lists: 100, details: 10, bytes: 20 * estimateRowBytes(createTestSong(0)) }, noReferences)
    expect(await readListKeys(database)).toEqual(['playlist:a', 'playlist:b'])
    expect(await database.read((tables) => tables.songs.count())).toBe(100)
  })

  it('housekeeping: a write that exceeds the quota frees space and is stored', async () => {
    const database = wrapInDeviceDatabase(createSmallDisk({ songs: 30 }))
    startHousekeeping(database, () => noReferences)
    for (const [index, id] of ['a', 'b', 'c'].entries()) await putPlaylist(database, id, index * 10, 10, index + 1)
    await putPlaylist(database, 'd', 30, 10, 9)
    expect(database.health).toBe('persistent')
    expect(await readListKeys(database)).toContain('playlist:d')
    expect(await readListKeys(database)).not.toContain('playlist:a')
  })

  it('housekeeping: if the disk is full and nothing can be evicted, rows are stored in memory until `recover` returns to the disk', async () => {
    const cacheCapacity = { songs: 10 }
    const database = wrapInDeviceDatabase(createSmallDisk(cacheCapacity))
    startHousekeeping(database, () => noReferences)
    await putPlaylist(database, 'a', 0, 10, 1)
    await database.change((tables) => tables.pinned.put([createPinnedRow('a')]))
    let healthChangeCount = 0
    database.onHealth(() => {
      healthChangeCount += 1
    })
    await putPlaylist(database, 'b', 10, 10, 2)
    expect(database.health).toBe('full')
    expect(healthChangeCount).toBe(1)
    expect(await readListKeys(database)).toEqual(['playlist:a', 'playlist:b'])
    const outboxRow = {
      id: 'r',
      uid: 'ann',
      call: 'POST /song/play' as const,
      body: { s: 's' },
      createdAtMs: 1,
      attempts: 0,
      lastError: '',
    }
    await database.change((tables) => tables.outbox.put([{ ...outboxRow, state: 'waiting' }]))
    cacheCapacity.songs = 100
    await database.recover()
    expect(database.health).toBe('persistent')
    expect(await database.read((tables) => tables.outbox.keys()), 'what is not sent is not lost').toEqual(['r'])
    await putPlaylist(database, 'c', 20, 10, 3)
    expect(await readListKeys(database)).toEqual(['playlist:a', 'playlist:b', 'playlist:c'])
    expect(database.health).toBe('persistent')
  })

  it('housekeeping: `recover` writes the rows of memory to IndexedDB in one transaction, and removes what was cleared', async () => {
    const openResult = await openDiskDatabase('housekeeping-recover')
    if (openResult.kind !== 'open') throw new Error('The browser refuses IndexedDB.')
    const { disk } = openResult
    let isDiskFull = false
    const database = wrapInDeviceDatabase({
      ...disk,
      change: (work) => (isDiskFull ? Promise.reject(new DOMException('full', 'QuotaExceededError')) : disk.change(work)),
    })
    await putPlaylist(database, 'a', 0, 10, 1)
    isDiskFull = true
    await putPlaylist(database, 'b', 10, 10, 2)
    await clearCache(database, { keys: ['playlist:b'], songIds: [] })
    expect([database.health, await readListKeys(disk)]).toEqual(['full', ['playlist:a']])
    isDiskFull = false
    await database.recover()
    expect(database.health).toBe('persistent')
    expect(await readListKeys(disk)).toEqual(['playlist:b'])
    expect(await disk.read((tables) => tables.songs.keys())).toEqual(createTestSongs(10, 10).map(({ youtube_id }) => youtube_id))
  })

  it('housekeeping: isQuotaError finds a QuotaExceededError that another error wraps', () => {
    const quotaError = new DOMException('', 'QuotaExceededError')
    expect(isQuotaError(quotaError)).toBe(true)
    expect(isQuotaError({ name: 'AbortError', inner: quotaError })).toBe(true)
    expect(isQuotaError(new TypeError('x'))).toBe(false)
    expect(isQuotaError(undefined)).toBe(false)
  })
})
