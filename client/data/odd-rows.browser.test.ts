import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createApi } from '../platform/api.ts'
import { createCatalogue } from './catalogue-repository.ts'
import { CatalogueDb, createDexieStore } from './db.ts'
import { clearSeen, evict, LIMITS } from './eviction.ts'
import { createKeeper } from './keeper.ts'
import { readOnce } from './memory-store.ts'
import type { CatalogueStore, TableName } from './store.ts'
import { testPlaylist, testSong } from './testing/rows.ts'

let made = 0
let db: CatalogueDb
let store: CatalogueStore
beforeEach(async () => {
  made += 1
  db = new CatalogueDb(`odd-rows-${made}`)
  await db.open()
  store = createDexieStore(db)
})
afterEach(() => db.delete())

const songs = [1, 2, 3].map((index) => testSong(index))
const ids = songs.map((song) => song.youtube_id)
const [first = ''] = ids
const detail = {
  ...testSong(1),
  ...{
    description: 'Told by the server.',
    context_id: 'p',
    context_title: 'P',
    first_song: first,
    next: first,
    next_title: '',
    favorite: false,
  },
}
const asked = vi.fn()
let offline = false
const api = createApi({
  baseUrl: '/api',
  fetch: async (address) => {
    const url = new URL(String(address), 'http://site')
    asked(url.pathname)
    if (offline) throw new TypeError('Failed to fetch')
    const data: Record<string, unknown> = {
      '/api/playlist/all': [testPlaylist('p')],
      '/api/playlist/get': { playlist: testPlaylist('p'), songs },
      '/api/song/get': detail,
      '/api/song/search': songs,
      '/api/feed/get': [],
    }
    return new Response(JSON.stringify({ code: 200, message: '', data: data[url.pathname] }))
  },
})
beforeEach(() => {
  offline = false
  asked.mockClear()
})

/** Rows as a hand, a fault or another program may have left them. */
const put = (table: TableName, ...rows: object[]) => db.table(table).bulkPut(rows)

const odd: [TableName, object[]][] = [
  ['songs', [{ youtube_id: first }, { youtube_id: ids[1], title: null }, { youtube_id: 7 }, { youtube_id: ['a', 'b'], title: [] }]],
  ['playlists', [{ id: 'p' }, { id: 'q', title: 'Q', song_count: 'many' }, { id: 12 }]],
  ['lists', [{ key: 'playlist:p', ids: {} }, { key: 'playlists:popular' }, { key: 'feed', ids: [1, null], complete: true }, { key: 3 }]],
  ['details', [{ key: `${first}|p`, detail: {} }, { key: `${first}|`, detail: null }, { key: 'x|y' }]],
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

it('takes what a person has made for none where its rows are odd, and is rid of them', async () => {
  const row = { id: 'a', uid: 'ann', call: 'POST /make/history', createdAtMs: 1, attempts: 0, lastError: '', state: 'waiting' }
  const body = { file_name: 'a', file_size: 1, speed: 1, pitch: 0, change_id: 'a' }
  await put(
    'outbox',
    { ...row, body: { ...body, speed: 'fast' } },
    { ...row, id: 'b', body },
    { id: 'c' },
    { ...row, id: 'd', body, state: 1 },
  )
  await put('makeHistories', { uid: 'ann', rows: [{ id: 'a' }] }, { uid: 'bob', rows: {} })
  const read = () => readOnce(store, async (tables) => [await tables.outbox.all(), await tables.makeHistories.all()])
  expect(await read()).toEqual([[], []])
  await vi.waitFor(async () => expect([await db.outbox.count(), await db.makeHistories.count()]).toEqual([0, 0]))
})

it('takes rows of a wrong shape for none, fetches anew, and is rid of them', async () => {
  for (const [table, rows] of odd) await put(table, ...rows)
  const catalogue = createCatalogue({ api, store })
  const shown = [
    catalogue.playlists('popular'),
    catalogue.playlist('p'),
    catalogue.song(first, 'p'),
    catalogue.feed(),
    catalogue.search({ text: 'song', artist: false, sort: 'az' }),
  ]
  const stops = shown.map((resource) => resource.subscribe(() => {}))
  for (const resource of shown) {
    await resource.opened()
    expect(resource.getSnapshot().data, resource.key).toBeUndefined()
  }
  await Promise.all(shown.map((resource) => resource.refresh()))
  expect(shown.map((resource) => [resource.getSnapshot().status, resource.getSnapshot().error])).toEqual(
    shown.map(() => ['ready', undefined]),
  )
  expect(shown[1]?.getSnapshot().data).toEqual({ playlist: testPlaylist('p'), songs })
  expect(shown[2]?.getSnapshot().data).toEqual(detail)

  await readOnce(store, (tables) => tables.songs.all())
  await vi.waitFor(async () => expect(await db.songs.count()).toBe(songs.length))
  const calls = asked.mock.calls.length
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(asked, 'no endless loop').toHaveBeenCalledTimes(calls)
  for (const stop of stops) stop()
})

it('shows what is left of a list without a connection, and the song of a broken detail by its row', async () => {
  offline = true
  await put('playlists', testPlaylist('p'))
  await put('lists', { key: 'playlist:p', ids: ['never-here', ...ids], complete: true })
  await put('songs', ...songs, { youtube_id: 'never-here', title: 'No author' })
  await put('details', { key: `${first}|p`, detail: {} })
  const catalogue = createCatalogue({ api, store })
  const [playlist, song] = [catalogue.playlist('p'), catalogue.song(first, 'p')]
  await Promise.all([playlist.opened(), song.opened()])
  expect(playlist.getSnapshot().data?.songs.map((each) => each.youtube_id)).toEqual(ids)
  expect(song.getSnapshot().data).toMatchObject({ title: 'Song 1', next: ids[1] })
  await catalogue.prepareSearch()
  const search = catalogue.search({ text: 'song', artist: false, sort: 'az' })
  await search.refresh()
  await vi.waitFor(() => expect(search.getSnapshot().data?.songs).toHaveLength(3))
})

it('reads every page of songs where broken ones stand among them', async () => {
  const many = Array.from({ length: 25 }, (_, index) => testSong(index))
  await put('songs', ...many.map((song, index) => (index % 3 === 0 ? { youtube_id: song.youtube_id } : song)))
  const sound = many.filter((_, index) => index % 3 !== 0)
  const pages = await readOnce(store, async (tables) => {
    const rows = await tables.songs.page('', 10)
    return [...rows, ...(await tables.songs.page(rows.at(-1)?.youtube_id ?? '', 10))]
  })
  expect(pages).toEqual(sound)
})

it('loses no playlist that was kept: it is fetched once more', async () => {
  await put('kept', { id: 'p' }, { id: 'q', title: 'Q', pictures: 'none' })
  await put('lists', { key: 'playlist:p', ids: 3 })
  const pictures = { has: async () => false, add: async () => 100, remove: async () => {} }
  const keeper = createKeeper({ api, store, pictures, pixelRatio: 1, askToPersist: async () => true })
  await keeper.resume()
  const rows = await db.kept.toArray()
  expect(rows.map(({ id, state, songCount }) => ({ id, state, songCount }))).toEqual([
    { id: 'p', state: 'done', songCount: 3 },
    { id: 'q', state: 'done', songCount: 3 },
  ])
  expect((await db.lists.get('playlist:p'))?.ids).toEqual(ids)
})

it('tidies and clears among broken rows, and spares what is kept', async () => {
  for (const [table, rows] of odd) await put(table, ...rows)
  await put('songs', ...songs)
  await put('lists', { key: 'playlist:p', ids, complete: true })
  await evict(store, LIMITS, { keys: [], songIds: [] })
  await clearSeen(store, { keys: [], songIds: [] })
  expect((await db.lists.get('playlist:p'))?.ids).toEqual(ids)
  expect((await db.kept.toCollection().primaryKeys()).sort()).toEqual(['p', 'q'])
})
