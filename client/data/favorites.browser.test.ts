import { Dexie } from 'dexie'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FavoriteSyncResult } from '../../contract/favorite.ts'
import { expectFasterThan } from '../../testing/timing.ts'
import { type Api, ApiCallError } from '../platform/api.ts'
import { createChangeSync } from './change-sync.ts'
import { clearCache } from './eviction.ts'
import { syncedFavorites } from './favorite-sync.ts'
import type { FavoriteEdit } from './favorites.ts'
import { createFavorites } from './favorites.ts'
import { forgetAccount } from './forget-account.ts'
import type { DeviceDatabase, OutboxRow } from './local-database.ts'
import { openDeviceDatabase } from './testing/databases.ts'
import { createTestSong } from './testing/rows.ts'

const DAY_MS = 86_400_000
let databaseCount = 0
let databaseName = ''
let database: DeviceDatabase
let nowMs: number
let unsubscribeFunctions: (() => void)[]

beforeEach(async () => {
  databaseCount += 1
  databaseName = `favorites-test-${databaseCount}`
  database = await openDeviceDatabase(databaseName)
  nowMs = Date.parse('2026-03-01T12:00:00Z')
  unsubscribeFunctions = []
})
afterEach(async () => {
  for (const stop of unsubscribeFunctions) stop()
  await Dexie.delete(databaseName)
})

const createSong = (n: number) => createTestSong(n)
const createSongId = (n: number) => createSong(n).youtube_id
const createFavoriteEdit = (n: number, favorite = true): FavoriteEdit => ({ songId: createSongId(n), favorite, song: createSong(n) })
const openFavorites = (ownDatabase = database) => createFavorites({ database: ownDatabase, sendOutbox: () => {}, nowMs: () => nowMs })
const readOutbox = () => database.read((tables) => tables.outbox.all())
const readStoredChanges = async () =>
  (await readOutbox())
    .flatMap((row) => (row.call === 'POST /favorite/sync' ? [row.body] : []))
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))

function openSubscribed(uid = 'ann', ownDatabase = database) {
  const favorites = openFavorites(ownDatabase)
  const [list, songs] = [favorites.list(uid), favorites.songs(uid)]
  unsubscribeFunctions.push(
    list.subscribe(() => {}),
    songs.subscribe(() => {}),
  )
  return { favorites, list, songs, ids: () => list.getSnapshot()?.entries.map(({ songId }) => songId) }
}

/** Returns the server's response to a device's first sync, which contains all favorites. */
const createFavoriteSyncResult = (states: FavoriteSyncResult['favorites'], syncCursor = 'e.1'): FavoriteSyncResult => ({
  cursor: syncCursor,
  whole: true,
  more: false,
  favorites: states,
  refused: [],
})
const createFavoriteState = (songNumber: number, changedAtMs: number, isFavorite = true) => ({
  s: createSongId(songNumber),
  favorite: isFavorite,
  at: new Date(changedAtMs).toISOString(),
  ...(isFavorite && { song: createSong(songNumber) }),
})
/** Synchronizes once with the given response. Returns the request and the result of the sync. */
async function syncOnce(response: Partial<FavoriteSyncResult>, { uid = 'ann', signedInUid = uid as string | undefined } = {}) {
  const favoriteSync = createChangeSync({ database, getSignedInUid: () => signedInUid }, syncedFavorites)
  const sentRequests: unknown[] = []
  const callApi = async (_key: string, requestBody: unknown) => {
    sentRequests.push(requestBody)
    return { cursor: 'e.2', whole: false, more: false, favorites: [], refused: [], ...response }
  }
  // The cast is safe, because the sync calls only this method of the API.
  const hasMore = await (await favoriteSync.readBatch(uid)).send({ call: callApi } as unknown as Api)
  return { request: sentRequests[0] as { since?: string; changes: { s: string }[] }, more: hasMore }
}

describe('favorites: edit', () => {
  it('favorites: an edit is in the list before it is stored, and afterwards', async () => {
    const { favorites, list, songs, ids } = openSubscribed()
    await vi.waitFor(() => expect(ids()).toEqual([]))
    const editPromise = favorites.edit('ann', [createFavoriteEdit(1)])
    expect(list.getSnapshot()?.has(createSongId(1))).toBe(true)
    await editPromise
    expect(ids()).toEqual([createSongId(1)])
    await vi.waitFor(() => expect(songs.getSnapshot()).toEqual([createSong(1)]))
    nowMs += 1000
    void favorites.edit('ann', [createFavoriteEdit(2)])
    expect(ids()).toEqual([createSongId(2), createSongId(1)])
    void favorites.edit('ann', [createFavoriteEdit(1, false)])
    expect(ids()).toEqual([createSongId(2)])
  })

  it('favorites: an edit that cannot be stored is reverted, and its promise rejects', async () => {
    const fullDisk = { ...database, change: () => Promise.reject(new Error('The disk is full.')) }
    const { favorites, list } = openSubscribed('ann', fullDisk)
    await vi.waitFor(() => expect(list.getSnapshot()).toBeDefined())
    const editPromise = favorites.edit('ann', [createFavoriteEdit(1)])
    expect(list.getSnapshot()?.has(createSongId(1))).toBe(true)
    await expect(editPromise).rejects.toThrow('The disk is full.')
    expect(list.getSnapshot()?.has(createSongId(1))).toBe(false)
  })

  it('favorites: an edit stores its outbox rows and songs', async () => {
    await openFavorites().edit('ann', [createFavoriteEdit(1), createFavoriteEdit(2), createFavoriteEdit(1, false)])
    expect((await readStoredChanges()).map(({ s, favorite }) => [s, favorite])).toEqual([
      [createSongId(1), true],
      [createSongId(2), true],
      [createSongId(1), false],
    ])
    expect(await database.read((tables) => tables.songs.keys())).toEqual([createSongId(1), createSongId(2)])
    expect(new Set((await readStoredChanges()).map(({ device }) => device)).size).toBe(1)
  })

  it('favorites: a new change is dated later than all known changes, even if the clock is set back', async () => {
    const favorites = openFavorites()
    await favorites.edit('ann', [createFavoriteEdit(1)])
    nowMs -= 400 * DAY_MS
    await favorites.edit('ann', [createFavoriteEdit(1, false)])
    const [firstChange, secondChange] = await readStoredChanges()
    expect(secondChange?.favorite).toBe(false)
    expect(Date.parse(secondChange?.at ?? '')).toBe(Date.parse(firstChange?.at ?? '') + 1)
    await syncOnce(createFavoriteSyncResult([createFavoriteState(3, nowMs + 2000 * DAY_MS)]))
    await favorites.edit('ann', [createFavoriteEdit(3, false)])
    expect(Date.parse((await readStoredChanges()).at(-1)?.at ?? '')).toBe(nowMs + 2000 * DAY_MS + 1)
  })

  it('favorites: if the clock shows a year after 9999, edits get the latest valid time', async () => {
    nowMs = Date.parse('9999-12-31T23:59:59.999Z') + DAY_MS
    await openFavorites().edit('ann', [createFavoriteEdit(1), createFavoriteEdit(2)])
    for (const { at } of await readStoredChanges()) expect(at).toBe('9999-12-31T23:59:59.999Z')
  })

  it('favorites: an edit is shown in another tab', async () => {
    const otherDatabase = await openDeviceDatabase(databaseName)
    const { ids } = openSubscribed('ann', otherDatabase)
    await openFavorites().edit('ann', [createFavoriteEdit(1)])
    await vi.waitFor(() => expect(ids()).toEqual([createSongId(1)]))
  })

  it('favorites: an edit belongs only to the account that made it', async () => {
    await openFavorites().edit('ann', [createFavoriteEdit(1)])
    const bobFavorites = openSubscribed('bob')
    await vi.waitFor(() => expect(bobFavorites.ids()).toEqual([]))
    expect((await syncOnce({}, { uid: 'bob' })).request.changes).toEqual([])
    expect(await readOutbox()).toHaveLength(1)
  })
})

describe('favorites: sync', () => {
  it('favorites: sync removes accepted rows and keeps refused rows with their error', async () => {
    const { favorites, ids } = openSubscribed()
    await favorites.edit('ann', [createFavoriteEdit(1), createFavoriteEdit(2)])
    const [, secondChange] = await readStoredChanges()
    const { request } = await syncOnce({
      ...createFavoriteSyncResult([createFavoriteState(1, nowMs)]),
      refused: [{ id: secondChange?.id ?? '', message: 'There is no such song.' }],
    })
    expect(request.since).toBeUndefined()
    expect(request.changes.map(({ s }) => s)).toEqual([createSongId(1), createSongId(2)])
    const remainingRows: Partial<OutboxRow>[] = await readOutbox()
    expect(remainingRows).toMatchObject([{ id: secondChange?.id, state: 'failed', lastError: 'There is no such song.' }])
    // Checks that a favorite that the server refused is not in the list.
    await vi.waitFor(() => expect(ids()).toEqual([createSongId(1)]))
  })

  it('favorites: sync continues from the stored cursor and keeps unsent edits', async () => {
    const { favorites, ids, list } = openSubscribed()
    await syncOnce(createFavoriteSyncResult([createFavoriteState(1, nowMs), createFavoriteState(2, nowMs - 1000)]))
    await vi.waitFor(() => expect(ids()).toEqual([createSongId(1), createSongId(2)]))
    expect(list.getSnapshot()?.complete).toBe(true)
    const favoriteSync = createChangeSync({ database, getSignedInUid: () => 'ann' }, syncedFavorites)
    await favorites.edit('ann', [createFavoriteEdit(2, false)])
    const callApi = async (_key: string, requestBody: unknown) => {
      expect(requestBody).toMatchObject({ since: 'e.1', changes: [{ s: createSongId(2) }] })
      // Edits the favorites again while the sync request is running.
      await favorites.edit('ann', [createFavoriteEdit(4)])
      return {
        cursor: 'e.5',
        whole: false,
        more: true,
        favorites: [createFavoriteState(3, nowMs + 5), createFavoriteState(1, nowMs, false)],
        refused: [],
      }
    }
    expect(await (await favoriteSync.readBatch('ann')).send({ call: callApi } as unknown as Api)).toBe(true)
    await vi.waitFor(() => expect(ids()).toEqual([createSongId(3), createSongId(4), createSongId(2)]))
  })

  it('favorites: the list counts as complete once the server has no more changes', async () => {
    const { favorites, list } = openSubscribed()
    await syncOnce({ ...createFavoriteSyncResult([createFavoriteState(1, nowMs)], 'e.1'), more: true })
    await vi.waitFor(() => expect(list.getSnapshot()).toMatchObject({ complete: false, entries: [{ songId: createSongId(1) }] }))
    const completeList = favorites.waitForList('ann', ({ complete }) => complete)
    // The second response has no favorites, because the remaining ones were removed on the server in the meantime.
    await syncOnce({ cursor: 'e.1' })
    await vi.waitFor(() => expect(list.getSnapshot()?.complete).toBe(true))
    expect((await completeList)?.has(createSongId(1))).toBe(true)
  })

  it('favorites: sync replaces the local list if the server returns the whole list', async () => {
    const { ids } = openSubscribed()
    await syncOnce(createFavoriteSyncResult([createFavoriteState(1, nowMs), createFavoriteState(2, nowMs - 1000)]))
    await syncOnce(createFavoriteSyncResult([createFavoriteState(2, nowMs)], 'f.1'))
    await vi.waitFor(() => expect(ids()).toEqual([createSongId(2)]))
  })

  it('favorites: sync discards the response if another account has signed in during the request', async () => {
    await openFavorites().edit('ann', [createFavoriteEdit(1)])
    await syncOnce(createFavoriteSyncResult([createFavoriteState(1, nowMs)]), { signedInUid: 'bob' })
    expect(await database.read((tables) => tables.favorites.all())).toEqual([])
    expect(await readOutbox()).toEqual([])
  })

  it('favorites: sync is repeated if another tab has stored a newer cursor during the request', async () => {
    await syncOnce(createFavoriteSyncResult([createFavoriteState(1, nowMs)]))
    const favoriteSync = createChangeSync({ database, getSignedInUid: () => 'ann' }, syncedFavorites)
    const callApi = async () => {
      await database.change((tables) => tables.favorites.put([{ uid: 'ann', cursor: 'e.9', ids: [createSongId(5)], atMs: [nowMs] }]))
      return { cursor: 'e.8', whole: false, more: false, favorites: [createFavoriteState(6, nowMs)], refused: [] }
    }
    expect(await (await favoriteSync.readBatch('ann')).send({ call: callApi } as unknown as Api)).toBe(true)
    expect(await database.read((tables) => tables.favorites.get('ann'))).toMatchObject({ cursor: 'e.9', ids: [createSongId(5)] })
  })

  it.each([
    ['null', null],
    ['an empty object', {}],
    [
      'invalid songs',
      { cursor: 'e.2', whole: true, more: false, refused: [], favorites: [{ ...createFavoriteState(1, 1), song: { title: 'x' } }] },
    ],
    ['invalid times', { cursor: 'e.2', whole: true, more: false, refused: [], favorites: [{ s: 'x', favorite: true, at: 'noon' }] }],
  ])('favorites: sync stores nothing if the response has or is %s', async (_, responseData) => {
    await openFavorites().edit('ann', [createFavoriteEdit(1)])
    const favoriteSync = createChangeSync({ database, getSignedInUid: () => 'ann' }, syncedFavorites)
    const api = { call: async () => responseData } as unknown as Api
    await expect((await favoriteSync.readBatch('ann')).send(api)).rejects.toThrow(ApiCallError)
    expect(await readOutbox()).toHaveLength(1)
    expect(database.health).toBe('persistent')
  })

  it("favorites: sync stops if the server's cursor does not advance", async () => {
    expect((await syncOnce({ ...createFavoriteSyncResult([createFavoriteState(1, nowMs)]), more: true })).more).toBe(true)
    expect((await syncOnce({ cursor: 'e.1', more: true })).more).toBe(false)
  })

  it('favorites: a failed sync changes nothing', async () => {
    await openFavorites().edit('ann', [createFavoriteEdit(1)])
    const favoriteSync = createChangeSync({ database, getSignedInUid: () => 'ann' }, syncedFavorites)
    const callApi = () => Promise.reject(new ApiCallError('network', 0, 'No connection to the server.'))
    await expect((await favoriteSync.readBatch('ann')).send({ call: callApi } as unknown as Api)).rejects.toThrow('No connection')
    expect(await readOutbox()).toHaveLength(1)
  })
})

it('favorites: signing out removes the list; unsent changes stay until the next login', async () => {
  const favorites = openFavorites()
  await syncOnce(createFavoriteSyncResult([createFavoriteState(1, nowMs)]))
  await favorites.edit('ann', [createFavoriteEdit(2)])
  const [changeBefore] = await readStoredChanges()
  await forgetAccount(database, 'ann')
  expect(await database.read((tables) => tables.favorites.all())).toEqual([])
  await favorites.edit('ann', [createFavoriteEdit(2, false)])
  const [, changeAfter] = await readStoredChanges()
  expect(Date.parse(changeAfter?.at ?? '')).toBeGreaterThan(Date.parse(changeBefore?.at ?? ''))
})

it('favorites: eviction never removes the songs of favorites', async () => {
  await database.change((tables) => tables.songs.put([createSong(8), createSong(9)]))
  await syncOnce(createFavoriteSyncResult([createFavoriteState(1, nowMs)]))
  await openFavorites().edit('ann', [createFavoriteEdit(2)])
  await clearCache(database, { keys: [], songIds: [] })
  expect(await database.read((tables) => tables.songs.keys())).toEqual([createSongId(1), createSongId(2)])
})

it('favorites: with 20,000 favorites an edit is in the list within 50 ms', { tags: ['long'] }, async () => {
  const songCount = 20_000
  await database.change(async (tables) => {
    await tables.songs.put(Array.from({ length: songCount }, (_, n) => createSong(n)))
    const ids = Array.from({ length: songCount }, (_, n) => createSongId(n))
    await tables.favorites.put([{ uid: 'ann', cursor: 'e.1', ids, atMs: ids.map((_, n) => nowMs - n) }])
  })
  const { favorites, list, songs } = openSubscribed()
  nowMs += 1
  await vi.waitFor(() => expect(songs.getSnapshot()).toHaveLength(songCount), 15_000)
  const startMs = performance.now()
  const editPromise = favorites.edit('ann', [createFavoriteEdit(songCount + 1)])
  expect(list.getSnapshot()?.has(createSongId(songCount + 1))).toBe(true)
  expectFasterThan(performance.now() - startMs, 50)
  await editPromise
  await vi.waitFor(() => expect(songs.getSnapshot()?.[0]?.youtube_id).toBe(createSongId(songCount + 1)), 15_000)
})
