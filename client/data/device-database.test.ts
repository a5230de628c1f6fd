import { expect, it } from 'vitest'
import type { Api } from '../platform/api.ts'
import { createChangeSync } from './change-sync.ts'
import { createDeviceDatabase, type DatabaseOpenResult, type NonPersistentHealth } from './device-database.ts'
import { clearCache } from './eviction.ts'
import { syncedFavorites } from './favorite-sync.ts'
import { createFavorites } from './favorites.ts'
import { forgetAccount } from './forget-account.ts'
import { ANONYMOUS_UID, type LocalDatabase } from './local-database.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { createOwnPlaylists } from './own-playlists.ts'
import { recordPlay } from './recent-plays.ts'
import { readQuery } from './testing/own-playlists.ts'
import { createTestSong } from './testing/rows.ts'

const putSong = (database: LocalDatabase, index: number) => database.change((tables) => tables.songs.put([createTestSong(index)]))
const countSongs = (database: LocalDatabase) => database.read((tables) => tables.songs.count())

it('device database: reads, writes and watches wait until the disk database is open', async () => {
  let finishOpening = (_result: DatabaseOpenResult) => {}
  const database = createDeviceDatabase(
    new Promise<DatabaseOpenResult>((resolve) => {
      finishOpening = resolve
    }),
  )
  const seenCounts: number[] = []
  const stopWatching = database.watch((tables) => tables.songs.count(), { next: (value) => seenCounts.push(value), error: () => {} })
  const writePromise = putSong(database, 1)
  const countPromise = countSongs(database)
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect([seenCounts, database.health]).toEqual([[], 'persistent'])
  const diskDatabase = createMemoryDatabase()
  await putSong(diskDatabase, 2)
  finishOpening({ kind: 'open', disk: diskDatabase, health: 'restarted' })
  await writePromise
  expect([await countPromise, await countSongs(diskDatabase), database.health]).toEqual([1, 2, 'restarted'])
  await expect.poll(() => seenCounts.at(-1)).toBe(2)
  stopWatching()
})

it('device database: if opening failed, rows are stored in memory', async () => {
  const database = createDeviceDatabase(Promise.reject(new Error('The chunk could not be loaded.')))
  await putSong(database, 1)
  expect([await countSongs(database), database.health]).toEqual([1, 'refused'])
})

it.each([
  ['a read', (database: LocalDatabase): Promise<unknown> => countSongs(database)],
  ['a write', (database: LocalDatabase): Promise<unknown> => putSong(database, 2)],
  [
    'a watch',
    async (database: LocalDatabase): Promise<unknown> => void database.watch((tables) => tables.songs.count(), { next() {}, error() {} }),
  ],
] as const)('device database: %s that the disk rejects is repeated in memory, and listeners are notified once', async (_, useDatabase) => {
  const memoryDatabase = createMemoryDatabase()
  const rejectAsConnectionLost = (): Promise<never> => Promise.reject(new Error('The connection to the database is lost.'))
  const diskDatabase: LocalDatabase = {
    ...memoryDatabase,
    read: rejectAsConnectionLost,
    change: rejectAsConnectionLost,
    watch(_read, observer) {
      observer.error(new Error('The connection to the database is lost.'))
      return () => {}
    },
  }
  const database = createDeviceDatabase({ kind: 'open', disk: diskDatabase, health: 'persistent' })
  let notificationCount = 0
  database.onHealth(() => {
    notificationCount += 1
  })
  await useDatabase(database)
  expect([database.health, notificationCount]).toEqual(['refused', 1])
  await putSong(database, 3)
  expect(await countSongs(database)).toBeGreaterThan(0)
})

it.each([
  ['a read', (database: LocalDatabase): Promise<unknown> => countSongs(database)],
  ['a write', (database: LocalDatabase): Promise<unknown> => putSong(database, 2)],
] as const)('device database: %s whose connection the browser closed is repeated on the disk', async (_, useDatabase) => {
  const memoryDatabase = createMemoryDatabase()
  let remainingFailures = 1
  const failFirstCall = async <T>(work: () => Promise<T>): Promise<T> => {
    if (remainingFailures-- > 0)
      throw new DOMException('Connection to Indexed Database server lost. Refresh the page to try again', 'UnknownError')
    return work()
  }
  const diskDatabase: LocalDatabase = {
    ...memoryDatabase,
    read: (read) => failFirstCall(() => memoryDatabase.read(read)),
    change: (work) => failFirstCall(() => memoryDatabase.change(work)),
  }
  const database = createDeviceDatabase({ kind: 'open', disk: diskDatabase, health: 'persistent' })
  await useDatabase(database)
  await putSong(database, 3)
  expect(database.health).toBe('persistent')
  expect(await countSongs(memoryDatabase)).toBe(await countSongs(database))
})

it('device database: if the disk is lost, watches continue with the rows that can still be read', async () => {
  let loseDisk = (_health: NonPersistentHealth, _readable?: LocalDatabase) => {}
  const diskDatabase = createMemoryDatabase()
  const database = createDeviceDatabase({
    kind: 'open',
    disk: diskDatabase,
    health: 'persistent',
    onLost(listener) {
      loseDisk = listener
    },
  })
  const announcedSongIds: (readonly string[] | undefined)[] = []
  database.onSongsChanged((ids) => announcedSongIds.push(ids))
  const seenCounts: number[] = []
  database.watch((tables) => tables.songs.count(), { next: (value) => seenCounts.push(value), error: () => {} })
  await expect.poll(() => seenCounts).toEqual([0])
  const upgradedDatabase = createMemoryDatabase()
  await putSong(upgradedDatabase, 1)
  await putSong(upgradedDatabase, 2)
  loseDisk('outdated', upgradedDatabase)
  await expect.poll(() => seenCounts.at(-1)).toBe(2)
  await putSong(database, 3)
  await expect.poll(() => seenCounts.at(-1)).toBe(3)
  expect([await countSongs(upgradedDatabase), database.health]).toEqual([2, 'outdated'])
  expect(announcedSongIds).toEqual([undefined, [createTestSong(3).youtube_id]])
})

/** Creates a disk that refuses every write until `freeDisk` is called. Each write then waits for `writesAllowed`. */
function createFullDisk() {
  const diskDatabase = createMemoryDatabase()
  let isDiskFull = true
  let writesAllowed: Promise<void> = Promise.resolve()
  const fullDisk: LocalDatabase = {
    ...diskDatabase,
    async change(work) {
      if (isDiskFull) throw Object.assign(new Error('Full.'), { name: 'QuotaExceededError' })
      await writesAllowed
      await diskDatabase.change(work)
    },
  }
  return {
    diskDatabase,
    fullDisk,
    freeDisk(allowWrites: Promise<void> = Promise.resolve()) {
      isDiskFull = false
      writesAllowed = allowWrites
    },
  }
}

it('device database: rows that no server has are written to the disk once there is space again', async () => {
  const { diskDatabase, fullDisk, freeDisk } = createFullDisk()
  const openOwnPlaylists = (database: LocalDatabase) => createOwnPlaylists({ database, sendOutbox: () => {} })
  const [keptPlaylistId, removedPlaylistId] = [
    await openOwnPlaylists(diskDatabase).create(ANONYMOUS_UID, { title: 'Kept' }),
    await openOwnPlaylists(diskDatabase).create(ANONYMOUS_UID, { title: 'Removed' }),
  ]
  const database = createDeviceDatabase({ kind: 'open', disk: fullDisk, health: 'persistent' })
  await openOwnPlaylists(database).addSongs(ANONYMOUS_UID, keptPlaylistId, [createTestSong(1)], { duplicates: 'keep' })
  await database.change((tables) => tables.ownPlaylists.remove([removedPlaylistId]))
  const accountPlaylistId = await openOwnPlaylists(database).create('ann', { title: 'Of an account' })
  expect([database.health, await diskDatabase.read((tables) => tables.outbox.count())]).toEqual(['full', 0])
  freeDisk()
  await database.recover()
  expect(database.health).toBe('persistent')
  expect(await diskDatabase.read((tables) => tables.ownPlaylists.all())).toMatchObject([
    { id: keptPlaylistId, songIds: [createTestSong(1).youtube_id] },
  ])
  expect((await diskDatabase.read((tables) => tables.outbox.all())).map(({ body }) => 'l' in body && body.l)).toEqual([accountPlaylistId])
})

/** Opens the favorites as a new page does. */
const openFavorites = (database: LocalDatabase) => createFavorites({ database, sendOutbox: () => {} })
const tapHeart = (database: LocalDatabase, index: number) =>
  openFavorites(database).edit('ann', [{ songId: createTestSong(index).youtube_id, favorite: true, song: createTestSong(index) }])
const readFavoriteSongs = async (database: LocalDatabase) =>
  (await readQuery(openFavorites(database).songs('ann'))).map(({ youtube_id }) => youtube_id)

it('device database: hearts that were tapped and sent while the disk was full stay once there is space again', async () => {
  const { diskDatabase, fullDisk, freeDisk } = createFullDisk()
  const database = createDeviceDatabase({ kind: 'open', disk: fullDisk, health: 'persistent' })
  await tapHeart(database, 1)
  const { youtube_id: s } = createTestSong(1)
  const favorites = [{ s, favorite: true, at: '2026-03-01T12:00:00.000Z', song: createTestSong(1) }]
  // The cast is safe, because the sync calls only this method of the API.
  const api = { call: async () => ({ cursor: 'e.1', whole: true, refused: [], favorites }) } as unknown as Api
  await (await createChangeSync({ database, getSignedInUid: () => 'ann' }, syncedFavorites).readBatch('ann')).send(api)
  expect([database.health, await database.read((tables) => tables.outbox.count())]).toEqual(['full', 0])
  freeDisk()
  await database.recover()
  expect(database.health).toBe('persistent')
  expect(await readFavoriteSongs(database)).toEqual([s])
  expect(await readFavoriteSongs(diskDatabase), 'also after a reload').toEqual([s])
})

it('device database: a heart that is tapped while rows return to the disk is stored on the disk', async () => {
  const { diskDatabase, fullDisk, freeDisk } = createFullDisk()
  const database = createDeviceDatabase({ kind: 'open', disk: fullDisk, health: 'persistent' })
  await tapHeart(database, 1)
  let allowWrites = () => {}
  freeDisk(
    new Promise<void>((resolve) => {
      allowWrites = resolve
    }),
  )
  const recovery = database.recover()
  const secondRecovery = database.recover()
  const tap = tapHeart(database, 2)
  await new Promise((resolve) => setTimeout(resolve, 5))
  const laterTap = tapHeart(database, 3)
  allowWrites()
  await Promise.all([recovery, secondRecovery, tap, laterTap])
  expect(database.health).toBe('persistent')
  expect(await readFavoriteSongs(diskDatabase)).toEqual([3, 2, 1].map((index) => createTestSong(index).youtube_id))
})

it('device database: a heart that is tapped while the disk turns out to be still full stays in memory', async () => {
  const { fullDisk } = createFullDisk()
  const database = createDeviceDatabase({ kind: 'open', disk: fullDisk, health: 'persistent' })
  await tapHeart(database, 1)
  const recovery = database.recover()
  await tapHeart(database, 2)
  await recovery
  expect(database.health).toBe('full')
  expect(await readFavoriteSongs(database)).toEqual([2, 1].map((index) => createTestSong(index).youtube_id))
})

it('device database: what was cleared, forgotten, pinned and played while the disk was full is so on the disk', async () => {
  const { diskDatabase, fullDisk, freeDisk } = createFullDisk()
  await putSong(diskDatabase, 1)
  await diskDatabase.change(async (tables) => {
    await tables.lists.put([{ key: 'playlist:old', ids: [createTestSong(1).youtube_id], complete: true }])
    await tables.follows.put([{ uid: 'ann', cursor: 'f', names: ['Kirano'], atMs: [1] }])
  })
  const database = createDeviceDatabase({ kind: 'open', disk: fullDisk, health: 'persistent' })
  await database.change((tables) =>
    tables.pinned.put([{ id: 'p', title: 'P', keptAtMs: 1, state: 'done', songCount: 0, pictures: [], rowBytes: 0, pictureBytes: 0 }]),
  )
  await forgetAccount(database, 'ann')
  const playedSong = {
    ...createTestSong(2),
    ...{ description: '', context_id: 'dance', context_title: 'Dance', first_song: '', next: '', next_title: '', favorite: false },
  }
  await recordPlay(database, playedSong, undefined, 1)
  await clearCache(database, { keys: [], songIds: [] })
  freeDisk()
  await database.recover()
  const readRows = ({ songs, lists, follows, pinned, recentPlays }: Parameters<Parameters<LocalDatabase['read']>[0]>[0]) =>
    Promise.all([songs, lists, follows, pinned, recentPlays].map((table) => table.keys()))
  expect(await diskDatabase.read(readRows)).toEqual([[], [], [], ['p'], [createTestSong(2).youtube_id]])
})
