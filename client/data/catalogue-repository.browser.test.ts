import { Dexie } from 'dexie'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Data, EndpointKey } from '../../contract/endpoints.ts'
import { type Api, createApi } from '../platform/api.ts'
import { createCatalogue } from './catalogue-repository.ts'
import { CatalogueDb, createDexieStore } from './db.ts'
import { createFallbackStore } from './fallback-store.ts'
import { createMemoryStore } from './memory-store.ts'
import type { Resource } from './resource.ts'
import type { CatalogueStore } from './store.ts'
import { testPlaylist as playlist, testSong as song } from './testing/rows.ts'

/** A server at the network's edge: answers by path, counts what was asked. */
function fakeServer() {
  const answers = new Map<string, unknown>()
  const asked: string[] = []
  const state = { offline: false }
  const api: Api = createApi({
    baseUrl: '/api',
    fetch: async (input) => {
      const url = new URL(String(input), 'http://site')
      const path = url.pathname.replace('/api', '')
      asked.push(path + url.search)
      if (state.offline) throw new TypeError('Failed to fetch')
      const body = answers.get(path + url.search) ?? answers.get(path) ?? { code: 404, message: 'Not here.', data: null }
      return new Response(JSON.stringify(body), { status: (body as { code: number }).code })
    },
  })
  return {
    api,
    asked,
    state,
    set: <K extends EndpointKey>(key: K, data: Data<K>, query = '') =>
      answers.set(key.slice(4) + query, { code: 200, message: 'OK', data }),
    fail: (path: string, code: number, message: string) => answers.set(path, { code, message, data: null }),
  }
}

const seen = <T>(resource: Resource<T>) => {
  const states: string[] = []
  const stop = resource.subscribe(() => states.push(resource.getSnapshot().status))
  return { states, stop }
}
const until = async (check: () => boolean) => {
  for (let i = 0; i < 200; i++) {
    if (check()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('It did not happen within 2 s.')
}

let db: CatalogueDb
let stops: (() => void)[] = []
let made = 0
/** A store whose readers all end with the test. */
const tracked = (store: CatalogueStore): CatalogueStore => ({
  change: store.change,
  watch(read, observer) {
    const stop = store.watch(read, observer)
    stops.push(stop)
    return stop
  },
})
beforeEach(() => {
  made += 1
  db = new CatalogueDb(`catalogue-test-${made}`)
})
afterEach(async () => {
  for (const stop of stops) stop()
  stops = []
  await Dexie.delete(db.name)
})

const kinds: [string, () => CatalogueStore][] = [
  ['Dexie', () => tracked(createDexieStore(db))],
  ['memory', () => createMemoryStore()],
]

describe.each(kinds)('the catalogue over %s', (_name, open) => {
  it('keeps the order of the server, and tells readers once', async () => {
    const server = fakeServer()
    server.set('GET /playlist/all', [playlist('c'), playlist('a'), playlist('b')])
    const resource = createCatalogue({ api: server.api, store: open() }).playlists('popular')
    const { states } = seen(resource)
    expect(resource.getSnapshot().status).toBe('loading')
    await resource.refresh()
    await until(() => resource.getSnapshot().status === 'ready')
    expect(resource.getSnapshot().data?.map((row) => row.id)).toEqual(['c', 'a', 'b'])
    expect(states.every((status) => status === 'ready')).toBe(true)
  })

  it('stays quiet when a refresh brings nothing new, and speaks when one row changed', async () => {
    const server = fakeServer()
    const store = open()
    const songs = [song(1), song(2)]
    server.set('GET /playlist/get', { playlist: playlist('p'), songs })
    const resource = createCatalogue({ api: server.api, store }).playlist('p')
    let reads = 0
    store.watch(async (tables) => tables.songs.getMany(songs.map((row) => row.youtube_id)), {
      next: () => {
        reads += 1
      },
      error: (error) => {
        throw error
      },
    })
    resource.subscribe(() => {})
    await resource.refresh()
    await until(() => resource.getSnapshot().data?.songs.length === 2)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const before = resource.getSnapshot().data
    const readsBefore = reads
    await resource.refresh({ force: true })
    await new Promise((resolve) => setTimeout(resolve, 150))
    if (_name === 'Dexie') {
      expect(resource.getSnapshot().data).toBe(before)
      expect(reads).toBe(readsBefore)
    }
    server.set('GET /playlist/get', { playlist: playlist('p'), songs: [song(2, { title: 'Renamed' }), song(1)] })
    await resource.refresh({ force: true })
    await until(() => resource.getSnapshot().data?.songs[0]?.title === 'Renamed')
    expect(resource.getSnapshot().data?.songs.map((row) => row.youtube_id)).toEqual([song(2).youtube_id, song(1).youtube_id])
  })

  it('asks once for requests of one key that are under way together', async () => {
    const server = fakeServer()
    server.set('GET /playlist/all', [playlist('a')])
    const catalogue = createCatalogue({ api: server.api, store: open() })
    await Promise.all([catalogue.playlists('popular').refresh(), catalogue.playlists('popular').refresh()])
    expect(server.asked).toEqual(['/playlist/all'])
  })

  it('shows what it has when the network fails, and says so', async () => {
    const server = fakeServer()
    server.set('GET /playlist/all', [playlist('a')])
    const resource = createCatalogue({ api: server.api, store: open() }).playlists('popular')
    await resource.refresh()
    server.state.offline = true
    await resource.refresh({ force: true })
    expect(resource.getSnapshot()).toMatchObject({ status: 'ready', stale: true, error: { kind: 'network' } })
    server.state.offline = false
    await resource.refresh({ force: true })
    expect(resource.getSnapshot()).toMatchObject({ status: 'ready', stale: false, error: undefined })
  })

  it("gives the server's message where there is nothing to show", async () => {
    const server = fakeServer()
    server.fail('/playlist/all', 500, 'The catalogue rests.')
    const resource = createCatalogue({ api: server.api, store: open() }).playlists('popular')
    await resource.refresh()
    expect(resource.getSnapshot()).toMatchObject({
      status: 'error',
      data: undefined,
      error: { kind: 'api', message: 'The catalogue rests.' },
    })
  })

  it('forgets a playlist that the server no longer has', async () => {
    const server = fakeServer()
    server.set('GET /playlist/get', { playlist: playlist('p'), songs: [song(1)] })
    const resource = createCatalogue({ api: server.api, store: open() }).playlist('p')
    await resource.refresh()
    expect(resource.getSnapshot().status).toBe('ready')
    server.fail('/playlist/get', 404, 'Gone.')
    await resource.refresh({ force: true })
    await until(() => resource.getSnapshot().status === 'error')
    expect(resource.getSnapshot().error?.code).toBe(404)
  })

  it('knows a song of a playlist before its detail has come', async () => {
    const server = fakeServer()
    server.set('GET /playlist/get', { playlist: playlist('p'), songs: [song(1), song(2), song(3)] })
    const catalogue = createCatalogue({ api: server.api, store: open() })
    await catalogue.playlist('p').refresh()
    server.state.offline = true
    const resource = catalogue.song(song(3).youtube_id, 'p')
    await resource.opened()
    expect(resource.getSnapshot().data).toMatchObject({
      title: 'Song 3',
      previous: song(2).youtube_id,
      next: song(1).youtube_id,
      next_title: 'Song 1',
    })
  })

  it('adds pages to a search, and keeps them over a refresh', async () => {
    const server = fakeServer()
    const all = Array.from({ length: 70 }, (_, index) => song(index))
    const query = (offset: number) => `?s=song&orderBy=title&orderDir=ASC&limit=50&offset=${offset}`
    server.set('GET /song/search', all.slice(0, 50), query(0))
    server.set('GET /song/search', all.slice(50), query(50))
    const search = createCatalogue({ api: server.api, store: open() }).search({ text: 'song', artist: false, sort: 'az' })
    search.subscribe(() => {})
    await search.refresh()
    await until(() => search.getSnapshot().data?.songs.length === 50)
    expect(search.getSnapshot().data?.complete).toBe(false)
    await search.more()
    await until(() => search.getSnapshot().data?.songs.length === 70)
    expect(search.getSnapshot().data?.complete).toBe(true)
    await search.refresh({ force: true })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(search.getSnapshot().data?.songs.map((row) => row.title)).toEqual(all.map((row) => row.title))
  })

  it('searches this device without a network, without accents and in any word order', async () => {
    const server = fakeServer()
    server.set('GET /playlist/get', { playlist: playlist('p'), songs: [song(1, { title: 'Café del Mar' }), song(2, { title: 'Other' })] })
    const catalogue = createCatalogue({ api: server.api, store: open() })
    await catalogue.playlist('p').refresh()
    server.state.offline = true
    const search = catalogue.search({ text: 'mar cafe', artist: false, sort: 'az' })
    await search.refresh()
    await until(() => search.getSnapshot().status === 'ready')
    expect(search.getSnapshot().data?.songs.map((row) => row.title)).toEqual(['Café del Mar'])
    const nothing = catalogue.search({ text: 'zzz', artist: false, sort: 'az' })
    await nothing.refresh()
    expect(nothing.getSnapshot()).toMatchObject({ status: 'error', error: { kind: 'network' } })
  })

  it('holds ten thousand songs of one playlist', async () => {
    const server = fakeServer()
    const songs = Array.from({ length: 10_000 }, (_, index) => song(index))
    server.set('GET /playlist/get', { playlist: playlist('big'), songs })
    const store = open()
    const catalogue = createCatalogue({ api: server.api, store })
    await catalogue.playlist('big').refresh()
    const again = createCatalogue({ api: server.api, store }).playlist('big')
    const startMs = performance.now()
    await again.opened()
    const tookMs = performance.now() - startMs
    expect(again.getSnapshot().data?.songs).toHaveLength(10_000)
    console.info(`10,000 songs read in ${Math.round(tookMs)} ms over ${_name}`)
    expect(tookMs).toBeLessThan(3_000)
  })
})

describe('the store', () => {
  it('still has its rows after a reload', async () => {
    const server = fakeServer()
    server.set('GET /playlist/all', [playlist('a')])
    await createCatalogue({ api: server.api, store: createDexieStore(db) })
      .playlists('popular')
      .refresh()
    db.close()
    const reopened = new CatalogueDb(db.name)
    server.state.offline = true
    const resource = createCatalogue({ api: server.api, store: tracked(createDexieStore(reopened)) }).playlists('popular')
    await resource.opened()
    expect(resource.getSnapshot().data?.map((row) => row.id)).toEqual(['a'])
    for (const stop of stops) stop()
    reopened.close()
  })

  it('goes on in memory when the disk refuses a write, and still reads what it held', async () => {
    const server = fakeServer()
    server.set('GET /playlist/all', [playlist('a')])
    server.set('GET /playlist/get', { playlist: playlist('p'), songs: [song(1)] })
    const disk = tracked(createDexieStore(db))
    let full = false
    const store = createFallbackStore({
      watch: disk.watch,
      change: (work) => (full ? Promise.reject(new DOMException('full', 'QuotaExceededError')) : disk.change(work)),
    })
    const catalogue = createCatalogue({ api: server.api, store })
    await catalogue.playlists('popular').refresh()
    full = true
    const resource = catalogue.playlist('p')
    await resource.refresh()
    await until(() => resource.getSnapshot().status === 'ready')
    expect(resource.getSnapshot().data?.songs).toHaveLength(1)
    expect(resource.getSnapshot().error).toBeUndefined()
    const before = createCatalogue({ api: server.api, store }).playlists('popular')
    await before.opened()
    expect(before.getSnapshot().data?.map((row) => row.id)).toEqual(['a'])
  })
})
