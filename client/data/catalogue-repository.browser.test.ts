import { Dexie } from 'dexie'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EndpointData, EndpointKey } from '../../contract/endpoints.ts'
import { expectFasterThan } from '../../testing/timing.ts'
import { type Api, createApi } from '../platform/api.ts'
import { createCatalogue } from './catalogue-repository.ts'
import { createDexieDatabase, createPageDexie } from './dexie-database.ts'
import type { LocalDatabase } from './local-database.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { loadContext, prepareContext } from './queue-context.ts'
import type { Resource } from './resource.ts'
import { wrapInDeviceDatabase } from './testing/databases.ts'
import { createTestPlaylist as playlist, createTestSong as song } from './testing/rows.ts'

/** Replaces `fetch` by a fake server, which responds by path and records the requests. */
function createFakeServer() {
  const responseByPath = new Map<string, unknown>()
  const requestedPaths: string[] = []
  const networkState = { offline: false }
  const api: Api = createApi({
    baseUrl: '/api',
    fetch: async (requestUrl) => {
      const url = new URL(String(requestUrl), 'http://site')
      const urlPath = url.pathname.replace('/api', '')
      requestedPaths.push(urlPath + url.search)
      if (networkState.offline) throw new TypeError('Failed to fetch')
      const body = responseByPath.get(urlPath + url.search) ??
        responseByPath.get(urlPath) ?? { code: 404, message: 'Not here.', data: null }
      return new Response(JSON.stringify(body), { status: (body as { code: number }).code })
    },
  })
  return {
    api,
    asked: requestedPaths,
    state: networkState,
    set: <K extends EndpointKey>(key: K, data: EndpointData<K>, query = '') =>
      responseByPath.set(key.slice(4) + query, { code: 200, message: 'OK', data }),
    fail: (path: string, code: number, message: string) => responseByPath.set(path, { code, message, data: null }),
  }
}

const recordStates = <T>(resource: Resource<T>) => {
  const states: string[] = []
  const stop = resource.subscribe(() => states.push(resource.getSnapshot().status))
  return { states, stop }
}

let db: Dexie
let stopWatchFunctions: (() => void)[] = []
let databaseCount = 0
/** Wraps a database so that all of its watches end when the test ends. */
const stopWatchesAfterTest = (database: LocalDatabase): LocalDatabase => ({
  ...database,
  change: database.change,
  watch(readRows, observer) {
    const stop = database.watch(readRows, observer)
    stopWatchFunctions.push(stop)
    return stop
  },
})
beforeEach(() => {
  databaseCount += 1
  db = createPageDexie(`catalogue-test-${databaseCount}`)
})
afterEach(async () => {
  for (const stop of stopWatchFunctions) stop()
  stopWatchFunctions = []
  await Dexie.delete(db.name)
})

const databaseKinds: [string, () => LocalDatabase][] = [
  ['Dexie', () => stopWatchesAfterTest(createDexieDatabase(db))],
  ['memory', () => createMemoryDatabase()],
]

describe.each(databaseKinds)('catalogue, %s', (_name, openDatabase) => {
  it('catalogue: lists keep the order of the server, and a load notifies subscribers once', async () => {
    const server = createFakeServer()
    server.set('GET /playlist/all', [playlist('c'), playlist('a'), playlist('b')])
    const resource = createCatalogue({ api: server.api, database: openDatabase() }).playlists('popular')
    const { states } = recordStates(resource)
    expect(resource.getSnapshot().status).toBe('loading')
    await resource.refresh()
    await vi.waitUntil(() => resource.getSnapshot().status === 'ready')
    expect(resource.getSnapshot().data?.map((row) => row.id)).toEqual(['c', 'a', 'b'])
    expect(states.every((status) => status === 'ready')).toBe(true)
  })

  it('catalogue: a refresh notifies subscribers only if a row has changed', async () => {
    const server = createFakeServer()
    const database = openDatabase()
    const songs = [song(1), song(2)]
    server.set('GET /playlist/get', { playlist: playlist('p'), songs })
    const resource = createCatalogue({ api: server.api, database }).playlist('p')
    let readCount = 0
    database.watch(async (tables) => tables.songs.getMany(songs.map((row) => row.youtube_id)), {
      next: () => {
        readCount += 1
      },
      error: (error) => {
        throw error
      },
    })
    resource.subscribe(() => {})
    await resource.refresh()
    await vi.waitUntil(() => resource.getSnapshot().data?.songs.length === 2 && readCount > 0)
    // On a busy machine, a watch of the database may read the rows of the same write a second time, later.
    await new Promise((resolve) => setTimeout(resolve, 500))
    const dataBefore = resource.getSnapshot().data
    const readCountBefore = readCount
    await resource.refresh({ force: true })
    await new Promise((resolve) => setTimeout(resolve, 150))
    if (_name === 'Dexie') {
      expect(resource.getSnapshot().data).toBe(dataBefore)
      expect(readCount).toBe(readCountBefore)
    }
    server.set('GET /playlist/get', { playlist: playlist('p'), songs: [song(2, { title: 'Renamed' }), song(1)] })
    await resource.refresh({ force: true })
    await vi.waitUntil(() => resource.getSnapshot().data?.songs[0]?.title === 'Renamed')
    expect(resource.getSnapshot().data?.songs.map((row) => row.youtube_id)).toEqual([song(2).youtube_id, song(1).youtube_id])
  })

  it('catalogue: concurrent refreshes of the same list share one request', async () => {
    const server = createFakeServer()
    server.set('GET /playlist/all', [playlist('a')])
    const catalogue = createCatalogue({ api: server.api, database: openDatabase() })
    await Promise.all([catalogue.playlists('popular').refresh(), catalogue.playlists('popular').refresh()])
    expect(server.asked).toEqual(['/playlist/all'])
  })

  it('catalogue: stored rows are shown as stale if the network fails', async () => {
    const server = createFakeServer()
    server.set('GET /playlist/all', [playlist('a')])
    const resource = createCatalogue({ api: server.api, database: openDatabase() }).playlists('popular')
    await resource.refresh()
    server.state.offline = true
    await resource.refresh({ force: true })
    expect(resource.getSnapshot()).toMatchObject({ status: 'ready', stale: true, error: { kind: 'network' } })
    server.state.offline = false
    await resource.refresh({ force: true })
    expect(resource.getSnapshot()).toMatchObject({ status: 'ready', stale: false, error: undefined })
  })

  it("catalogue: if nothing is stored and the server refuses, the state has the server's error message", async () => {
    const server = createFakeServer()
    server.fail('/playlist/all', 500, 'The catalogue rests.')
    const resource = createCatalogue({ api: server.api, database: openDatabase() }).playlists('popular')
    await resource.refresh()
    expect(resource.getSnapshot()).toMatchObject({
      status: 'error',
      data: undefined,
      error: { kind: 'api', message: 'The catalogue rests.' },
    })
  })

  it('catalogue: a playlist that the server no longer has is removed', async () => {
    const server = createFakeServer()
    server.set('GET /playlist/get', { playlist: playlist('p'), songs: [song(1)] })
    const database = openDatabase()
    const resource = createCatalogue({ api: server.api, database }).playlist('p')
    await resource.refresh()
    expect(resource.getSnapshot().status).toBe('ready')
    server.fail('/playlist/get', 404, 'Gone.')
    await resource.refresh({ force: true })
    await vi.waitUntil(() => resource.getSnapshot().status === 'error')
    expect(resource.getSnapshot().error?.code).toBe(404)
    expect(await database.read((tables) => tables.playlists.get('p'))).toBeUndefined()
  })

  it('catalogue: a song of a stored playlist is shown before its own details are fetched', async () => {
    const server = createFakeServer()
    server.set('GET /playlist/get', { playlist: playlist('p'), songs: [song(1), song(2), song(3)] })
    const catalogue = createCatalogue({ api: server.api, database: openDatabase() })
    await catalogue.playlist('p').refresh()
    server.state.offline = true
    const resource = catalogue.song(song(3).youtube_id, 'p')
    await resource.waitUntilOpened()
    expect(resource.getSnapshot().data).toMatchObject({
      title: 'Song 3',
      previous: song(2).youtube_id,
      next: song(1).youtube_id,
      next_title: 'Song 1',
    })
  })

  it('catalogue: a song of a loaded playlist is available immediately, without a read of the database or a request', async () => {
    const server = createFakeServer()
    server.set('GET /playlist/get', { playlist: playlist('p', { song_count: 3 }), songs: [song(1), song(2), song(3)] })
    const catalogue = createCatalogue({ api: server.api, database: openDatabase() })
    const loadedPlaylist = catalogue.playlist('p')
    loadedPlaylist.subscribe(() => {})
    await loadedPlaylist.refresh()
    await vi.waitUntil(() => loadedPlaylist.getSnapshot().data !== undefined)
    expect(catalogue.song(song(3).youtube_id, 'p').getSnapshot()).toMatchObject({
      status: 'ready',
      data: { title: 'Song 3', previous: song(2).youtube_id, next: song(1).youtube_id, context_title: 'P' },
    })
    expect(catalogue.song(song(4).youtube_id, 'p').getSnapshot().data).toBeUndefined()
  })

  it('catalogue: the songs of a song context are requested once after `prepareContext`, and not at all if the device has stored them', async () => {
    const server = createFakeServer()
    const database = openDatabase()
    const playlistRows = { playlist: playlist('one', { song_count: 2 }), songs: [song(1), song(2)] }
    server.set('GET /playlist/get', playlistRows)
    const catalogue = createCatalogue({ api: server.api, database })
    const contextSource = { api: server.api, catalogue }
    prepareContext(contextSource, 'one')
    expect((await loadContext(contextSource, 'one')).songs).toEqual(playlistRows.songs)
    expect(server.asked).toEqual(['/playlist/get?p=one&limit=500'])
    expect((await loadContext(contextSource, 'one')).songs).toEqual(playlistRows.songs)
    expect(server.asked).toHaveLength(2)
    const shownPlaylist = catalogue.playlist('one')
    recordStates(shownPlaylist)
    await shownPlaylist.refresh()
    await vi.waitUntil(() => shownPlaylist.getSnapshot().status === 'ready')
    server.state.offline = true
    prepareContext(contextSource, 'one')
    expect((await loadContext(contextSource, 'one')).songs).toEqual(playlistRows.songs)
    expect(server.asked).toHaveLength(3)
  })

  it('catalogue: songs of further search pages are appended, and stay after a refresh', async () => {
    const server = createFakeServer()
    const allSongs = Array.from({ length: 70 }, (_, index) => song(index))
    const createSearchQuery = (offset: number) => `?s=song&orderBy=title&orderDir=ASC&limit=50&offset=${offset}`
    server.set('GET /song/search', allSongs.slice(0, 50), createSearchQuery(0))
    server.set('GET /song/search', allSongs.slice(50), createSearchQuery(50))
    const searchResource = createCatalogue({ api: server.api, database: openDatabase() }).search({
      text: 'song',
      artist: false,
      sort: 'az',
    })
    searchResource.subscribe(() => {})
    await searchResource.refresh()
    await vi.waitUntil(() => searchResource.getSnapshot().data?.songs.length === 50)
    expect(searchResource.getSnapshot().data?.complete).toBe(false)
    await searchResource.more()
    await vi.waitUntil(() => searchResource.getSnapshot().data?.songs.length === 70)
    expect(searchResource.getSnapshot().data?.complete).toBe(true)
    await searchResource.refresh({ force: true })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(searchResource.getSnapshot().data?.songs.map((row) => row.title)).toEqual(allSongs.map((row) => row.title))
  })

  it('catalogue: offline search ignores accents and word order', async () => {
    const server = createFakeServer()
    server.set('GET /playlist/get', { playlist: playlist('p'), songs: [song(1, { title: 'Café del Mar' }), song(2, { title: 'Other' })] })
    const catalogue = createCatalogue({ api: server.api, database: openDatabase() })
    await catalogue.playlist('p').refresh()
    server.state.offline = true
    const searchResource = catalogue.search({ text: 'mar cafe', artist: false, sort: 'az' })
    await searchResource.refresh()
    await vi.waitUntil(() => searchResource.getSnapshot().status === 'ready')
    expect(searchResource.getSnapshot().data?.songs.map((row) => row.title)).toEqual(['Café del Mar'])
    const emptySearch = catalogue.search({ text: 'zzz', artist: false, sort: 'az' })
    await emptySearch.refresh()
    expect(emptySearch.getSnapshot()).toMatchObject({ status: 'error', error: { kind: 'network' } })
  })

  it('catalogue: a playlist of more than 10,000 songs is requested page by page, and its last song is found offline', {
    tags: ['long'],
  }, async () => {
    const server = createFakeServer()
    const songs = Array.from({ length: 20_001 }, (_, index) => song(index))
    const setPage = (from: number, query: string) =>
      server.set('GET /playlist/get', { playlist: playlist('big'), songs: songs.slice(from, from + 10_000) }, query)
    setPage(0, '?p=big&limit=10000')
    setPage(10_000, '?p=big&limit=10000&offset=10000')
    // The catalogue on the server has grown by one song since the first request, so the pages of the playlist overlap.
    setPage(19_999, '?p=big&limit=10000&offset=20000')
    const catalogue = createCatalogue({ api: server.api, database: openDatabase() })
    const bigPlaylist = catalogue.playlist('big')
    await bigPlaylist.refresh()
    expect(bigPlaylist.getSnapshot().data?.songs.map((row) => row.youtube_id)).toEqual(songs.map((row) => row.youtube_id))
    server.state.offline = true
    const searchResource = catalogue.search({ text: '20000', artist: false, sort: 'az' })
    await searchResource.refresh()
    await vi.waitUntil(() => searchResource.getSnapshot().status === 'ready')
    expect(searchResource.getSnapshot().data?.songs.map((row) => row.youtube_id)).toEqual([song(20_000).youtube_id])
  })

  it('catalogue: a playlist of 10,000 songs is stored', async () => {
    const server = createFakeServer()
    const songs = Array.from({ length: 10_000 }, (_, index) => song(index))
    server.set('GET /playlist/get', { playlist: playlist('big'), songs })
    const database = openDatabase()
    const catalogue = createCatalogue({ api: server.api, database })
    await catalogue.playlist('big').refresh()
    const reopenedPlaylist = createCatalogue({ api: server.api, database }).playlist('big')
    const startMs = performance.now()
    await reopenedPlaylist.waitUntilOpened()
    const tookMs = performance.now() - startMs
    expect(reopenedPlaylist.getSnapshot().data?.songs).toHaveLength(10_000)
    console.info(`10,000 songs read in ${Math.round(tookMs)} ms over ${_name}`)
    expectFasterThan(tookMs, 3_000)
  })
})

describe('catalogue database', () => {
  it('catalogue database: rows survive a reload of the page', async () => {
    const server = createFakeServer()
    server.set('GET /playlist/all', [playlist('a')])
    await createCatalogue({ api: server.api, database: createDexieDatabase(db) })
      .playlists('popular')
      .refresh()
    db.close()
    const reopenedDatabase = createPageDexie(db.name)
    server.state.offline = true
    const resource = createCatalogue({ api: server.api, database: stopWatchesAfterTest(createDexieDatabase(reopenedDatabase)) }).playlists(
      'popular',
    )
    await resource.waitUntilOpened()
    expect(resource.getSnapshot().data?.map((row) => row.id)).toEqual(['a'])
    for (const stop of stopWatchFunctions) stop()
    reopenedDatabase.close()
  })

  it('catalogue database: after the disk refuses a write, new rows are stored in memory and the rows on disk stay readable', async () => {
    const server = createFakeServer()
    server.set('GET /playlist/all', [playlist('a')])
    server.set('GET /playlist/get', { playlist: playlist('p'), songs: [song(1)] })
    const diskDatabase = stopWatchesAfterTest(createDexieDatabase(db))
    let isDiskFull = false
    const database = wrapInDeviceDatabase({
      ...diskDatabase,
      change: (work) => (isDiskFull ? Promise.reject(new DOMException('full', 'QuotaExceededError')) : diskDatabase.change(work)),
    })
    const catalogue = createCatalogue({ api: server.api, database })
    await catalogue.playlists('popular').refresh()
    isDiskFull = true
    const resource = catalogue.playlist('p')
    await resource.refresh()
    await vi.waitUntil(() => resource.getSnapshot().status === 'ready')
    expect(resource.getSnapshot().data?.songs).toHaveLength(1)
    expect(resource.getSnapshot().error).toBeUndefined()
    const dataBefore = createCatalogue({ api: server.api, database }).playlists('popular')
    await dataBefore.waitUntilOpened()
    expect(dataBefore.getSnapshot().data?.map((row) => row.id)).toEqual(['a'])
  })
})
