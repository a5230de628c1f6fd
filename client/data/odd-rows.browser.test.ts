import type { Dexie } from 'dexie'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createApi } from '../platform/api.ts'
import { createCatalogue } from './catalogue-repository.ts'
import { createNewsFeed } from './community.ts'
import { createDexieDatabase, createPageDexie } from './dexie-database.ts'
import { CACHE_LIMITS, clearCache, evictAboveLimits } from './eviction.ts'
import { ANONYMOUS_UID, type LocalDatabase, type PinnedPlaylistRow } from './local-database.ts'
import { createOfflinePlaylists } from './offline-playlists.ts'
import { createTestPlaylist, createTestSong } from './testing/rows.ts'

let databaseCount = 0
let db: Dexie
let database: LocalDatabase
beforeEach(async () => {
  databaseCount += 1
  db = createPageDexie(`odd-rows-${databaseCount}`)
  await db.open()
  database = createDexieDatabase(db)
})
afterEach(() => db.delete())

const songs = [1, 2, 3].map((index) => createTestSong(index))
const songIds = songs.map((song) => song.youtube_id)
const [firstSongId = ''] = songIds
const songDetail = {
  ...createTestSong(1),
  ...{
    description: 'Told by the server.',
    context_id: 'p',
    context_title: 'P',
    first_song: firstSongId,
    next: firstSongId,
    next_title: '',
    favorite: false,
  },
}
const onRequest = vi.fn()
let isOffline = false
const api = createApi({
  baseUrl: '/api',
  fetch: async (requestUrl) => {
    const url = new URL(String(requestUrl), 'http://site')
    onRequest(url.pathname)
    if (isOffline) throw new TypeError('Failed to fetch')
    const responseDataByPath: Record<string, unknown> = {
      '/api/playlist/all': [createTestPlaylist('p')],
      '/api/playlist/get': { playlist: createTestPlaylist('p'), songs },
      '/api/song/get': songDetail,
      '/api/song/search': songs,
      '/api/feed/get': [],
    }
    return new Response(JSON.stringify({ code: 200, message: '', data: responseDataByPath[url.pathname] }))
  },
})
beforeEach(() => {
  isOffline = false
  onRequest.mockClear()
})

/** Writes rows directly to IndexedDB, without the validation of the local database. */
const putRows = (tableName: string, ...rows: object[]) => db.table(tableName).bulkPut(rows)

const invalidRows: [string, object[]][] = [
  [
    'songs',
    [{ youtube_id: firstSongId }, { youtube_id: songIds[1], title: null }, { youtube_id: 7 }, { youtube_id: ['a', 'b'], title: [] }],
  ],
  ['playlists', [{ id: 'p' }, { id: 'q', title: 'Q', song_count: 'many' }, { id: 12 }]],
  ['lists', [{ key: 'playlist:p', ids: {} }, { key: 'playlists:popular' }, { key: 'feed', ids: [1, null], complete: true }, { key: 3 }]],
  ['details', [{ key: `${firstSongId}|p`, detail: {} }, { key: `${firstSongId}|`, detail: null }, { key: 'x|y' }]],
  [
    'visits',
    [
      { key: 'playlist:p', usedAtMs: 'yesterday' },
      { key: 'q', usedAtMs: Number.NaN, fetchedAtMs: null },
    ],
  ],
  ['feed', [{ id: 'f' }]],
  ['site', [{ key: 'site', site: { settings: {} } }]],
  ['kept', [{ id: 'p' }, { id: 'q', title: 5, pictures: [null] }]],
]

it('invalid rows: invalid rows of the outbox and the history are not returned and are removed', async () => {
  const outboxRow = { id: 'a', uid: 'ann', call: 'POST /make/history', createdAtMs: 1, attempts: 0, lastError: '', state: 'waiting' }
  const historyBody = { file_name: 'a', file_size: 1, speed: 1, pitch: 0, change_id: 'a' }
  await putRows(
    'outbox',
    { ...outboxRow, body: { ...historyBody, speed: 'fast' } },
    { ...outboxRow, id: 'b', body: historyBody },
    { id: 'c' },
    { ...outboxRow, id: 'd', body: historyBody, state: 1 },
  )
  await putRows('makeHistories', { uid: 'ann', rows: [{ id: 'a' }] }, { uid: 'bob', rows: {} })
  const readRows = () => database.read(async (tables) => [await tables.outbox.all(), await tables.makeHistories.all()])
  expect(await readRows()).toEqual([[], []])
  await vi.waitFor(async () => expect([await db.table('outbox').count(), await db.table('makeHistories').count()]).toEqual([0, 0]))
})

it('invalid rows: an invalid row counts as missing: it is requested again, and removed or replaced', async () => {
  for (const [table, rows] of invalidRows) await putRows(table, ...rows)
  const catalogue = createCatalogue({ api, database })
  const shownResources = [
    catalogue.playlists('popular'),
    catalogue.playlist('p'),
    catalogue.song(firstSongId, 'p'),
    createNewsFeed({ api, database, connection: { offline: false, subscribe: () => () => {} } }),
    catalogue.search({ text: 'song', artist: false, sort: 'az' }),
  ]
  const stopFunctions = shownResources.map((resource) => resource.subscribe(() => {}))
  for (const resource of shownResources) {
    await resource.waitUntilOpened()
    expect(resource.getSnapshot().data, resource.key).toBeUndefined()
  }
  await Promise.all(shownResources.map((resource) => resource.refresh()))
  expect(shownResources.map((resource) => [resource.getSnapshot().status, resource.getSnapshot().error])).toEqual(
    shownResources.map(() => ['ready', undefined]),
  )
  expect(shownResources[1]?.getSnapshot().data).toEqual({ playlist: createTestPlaylist('p'), songs })
  expect(shownResources[2]?.getSnapshot().data).toEqual(songDetail)

  await database.read((tables) => tables.songs.all())
  await vi.waitFor(async () => expect(await db.table('songs').count()).toBe(songs.length))
  const callCount = onRequest.mock.calls.length
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(onRequest, 'no endless loop').toHaveBeenCalledTimes(callCount)
  for (const stop of stopFunctions) stop()
})

it('invalid rows: offline, a list shows only its valid rows, and a song whose stored details are invalid is shown with the data of its list row', async () => {
  isOffline = true
  await putRows('playlists', createTestPlaylist('p'))
  await putRows('lists', { key: 'playlist:p', ids: ['never-here', ...songIds], complete: true })
  await putRows('songs', ...songs, { youtube_id: 'never-here', title: 'No author' })
  await putRows('details', { key: `${firstSongId}|p`, detail: {} })
  const catalogue = createCatalogue({ api, database })
  const [playlistResource, songResource] = [catalogue.playlist('p'), catalogue.song(firstSongId, 'p')]
  await Promise.all([playlistResource.waitUntilOpened(), songResource.waitUntilOpened()])
  expect(playlistResource.getSnapshot().data?.songs.map((each) => each.youtube_id)).toEqual(songIds)
  expect(songResource.getSnapshot().data).toMatchObject({ title: 'Song 1', next: songIds[1] })
  await (await catalogue.songIndex()).ready()
  const search = catalogue.search({ text: 'song', artist: false, sort: 'az' })
  await search.refresh()
  await vi.waitFor(() => expect(search.getSnapshot().data?.songs).toHaveLength(3))
})

it('invalid rows: reading pages of songs skips invalid rows', async () => {
  const manySongs = Array.from({ length: 25 }, (_, index) => createTestSong(index))
  await putRows('songs', ...manySongs.map((song, index) => (index % 3 === 0 ? { youtube_id: song.youtube_id } : song)))
  const validSongs = manySongs.filter((_, index) => index % 3 !== 0)
  const readSongs = await database.read(async (tables) => {
    const rows = await tables.songs.page('', 10)
    return [...rows, ...(await tables.songs.page(rows.at(-1)?.youtube_id ?? '', 10))]
  })
  expect(readSongs).toEqual(validSongs)
})

it('invalid rows: a pinned playlist with an invalid row stays pinned and is downloaded again', async () => {
  await putRows('kept', { id: 'p' }, { id: 'q', title: 'Q', pictures: 'none' })
  await putRows('lists', { key: 'playlist:p', ids: 3 })
  const pictureCache = { has: async () => false, add: async () => 100, remove: async () => {} }
  const offlinePlaylists = createOfflinePlaylists({
    api,
    database,
    pictures: pictureCache,
    pixelRatio: 1,
    getOwner: () => '',
    requestPersistentStorage: async () => true,
  })
  await offlinePlaylists.resume()
  const pinnedRows = await db.table<PinnedPlaylistRow, string>('kept').toArray()
  expect(pinnedRows.map(({ id, state, songCount }) => ({ id, state, songCount }))).toEqual([
    { id: 'p', state: 'done', songCount: 3 },
    { id: 'q', state: 'done', songCount: 3 },
  ])
  expect((await db.table('lists').get('playlist:p'))?.ids).toEqual(songIds)
})

it('invalid rows: if a row of an own playlist is invalid, all playlists of the account are fetched again, and those of nobody still join an account', async () => {
  const row = { id: 'a', uid: 'ann', title: 'A', description: '', addedAtMs: 1, entryIds: ['e'], songIds: ['s'], positions: ['V'] }
  await putRows('ownPlaylistCursors', { uid: 'ann', cursor: 'e.1' }, { uid: ANONYMOUS_UID, cursor: '' })
  await putRows('ownPlaylists', row, { ...row, id: 'b' })
  const readTitles = () => database.read(async (tables) => (await tables.ownPlaylists.all()).map(({ title }) => title))
  const readCursorUids = () => db.table('ownPlaylistCursors').toCollection().primaryKeys()
  expect(await readTitles()).toEqual(['A', 'A'])
  expect(await readCursorUids()).toEqual([ANONYMOUS_UID, 'ann'])

  await putRows('ownPlaylists', { ...row, id: 'b', uid: undefined, positions: [] })
  expect(await readTitles()).toEqual(['A'])
  await vi.waitFor(async () => expect(await readCursorUids()).toEqual([ANONYMOUS_UID]))
  expect(await db.table('ownPlaylists').toCollection().primaryKeys()).toEqual(['a'])
})

it('invalid rows: eviction ignores invalid rows and keeps pinned playlists', async () => {
  for (const [table, rows] of invalidRows) await putRows(table, ...rows)
  await putRows('songs', ...songs)
  await putRows('lists', { key: 'playlist:p', ids: songIds, complete: true })
  await evictAboveLimits(database, CACHE_LIMITS, { keys: [], songIds: [] })
  await clearCache(database, { keys: [], songIds: [] })
  expect((await db.table('lists').get('playlist:p'))?.ids).toEqual(songIds)
  expect((await db.table<PinnedPlaylistRow, string>('kept').toCollection().primaryKeys()).sort()).toEqual(['p', 'q'])
})
