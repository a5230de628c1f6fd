import { Dexie } from 'dexie'
import { afterEach, expect, it } from 'vitest'
import type { Table, TableName } from './local-database.ts'
import { openDeviceDatabase } from './testing/databases.ts'

// The database as builds of November 2026 created it, with schema version 8. The data is a literal copy, so that later changes of the
// program do not change it.

const DATABASE_NAME = 'stored-before'
/** Dexie multiplies its version numbers by 10 when it opens the IndexedDB database. */
const INDEXED_DB_VERSION = 80

const song = {
  youtube_id: 'abcdefghijk',
  youtube_url: 'https://www.youtube.com/watch?v=abcdefghijk',
  title: 'Song',
  author_name: 'Kirano',
  category_id: 'dance',
  category_name: 'Dance',
  date_added: '2026-01-01T00:00:00.000Z',
  duration: 100,
  new: 'false',
}

/** Each object store with its key path, its rows, and the table of the local database that returns these rows. */
const storedTables: { store: string; keyPath: string; table: TableName; row: object }[] = [
  { store: 'songs', keyPath: 'youtube_id', table: 'songs', row: song },
  {
    store: 'playlists',
    keyPath: 'id',
    table: 'playlists',
    row: {
      id: 'p',
      title: 'P',
      category_id: 'dance',
      category_name: 'Dance',
      description: '',
      description_url: '',
      youtube_url: '',
      special: false,
      image_url: '/img/playlist/p',
      thumbnail: '',
      url: '/playlist?p=p',
      song_count: 1,
    },
  },
  { store: 'lists', keyPath: 'key', table: 'lists', row: { key: 'playlist:p', ids: ['abcdefghijk'], complete: true } },
  {
    store: 'details',
    keyPath: 'key',
    table: 'details',
    row: {
      key: 'abcdefghijk',
      detail: {
        ...song,
        description: '',
        context_id: 'dance',
        context_title: 'Dance',
        first_song: 'abcdefghijk',
        next: 'abcdefghijk',
        next_title: 'Song',
        favorite: false,
      },
    },
  },
  { store: 'visits', keyPath: 'key', table: 'visits', row: { key: 'playlist:p', fetchedAtMs: 1, usedAtMs: 2 } },
  {
    store: 'feed',
    keyPath: 'id',
    table: 'feed',
    row: { id: 'f', title: 'News', content: '<p>News</p>', content_tree: [], image: '', url: '', date: '2026-01-01' },
  },
  {
    store: 'site',
    keyPath: 'key',
    table: 'site',
    row: {
      key: 'site',
      site: {
        brand: 'brand',
        host_class: 'main',
        subdomain: '',
        api_base_url: '/api',
        main_url: '',
        radio_url: '',
        settings: { NAME: 'Brand', DONATE_LINKS: [], FOOTER_LINKS: [] },
        hero: { rate: 1, from_rate: 1, to_rate: 1 },
        texts: { hero_link_label: '', community_title: '', passion_title: '', tagline: '', genre: '' },
      },
    },
  },
  {
    store: 'kept',
    keyPath: 'id',
    table: 'pinned',
    row: { id: 'p', title: 'P', keptAtMs: 7, state: 'done', songCount: 1, pictures: ['/img/song/a/160'], rowBytes: 10, pictureBytes: 20 },
  },
  {
    store: 'accounts',
    keyPath: 'uid',
    table: 'accounts',
    row: { uid: 'ann', info: { email: 'ann@example.org', roles: ['subscriber'], discord: '', discord_id: '' }, confirmedAtMs: 3 },
  },
  {
    store: 'makeHistories',
    keyPath: 'uid',
    table: 'makeHistories',
    row: { uid: 'ann', rows: [{ id: 'm', file_name: 'a.wav', file_size: 1, created: '2026-01-01T00:00:00.000Z' }] },
  },
  {
    store: 'outbox',
    keyPath: 'id',
    table: 'outbox',
    row: {
      id: 'w',
      uid: 'ann',
      call: 'POST /favorite/sync',
      body: { id: 'w', s: 'abcdefghijk', favorite: true, at: '2026-01-01T00:00:00.000Z', device: 'd' },
      createdAtMs: 5,
      attempts: 0,
      lastError: '',
      state: 'waiting',
    },
  },
  { store: 'favorites', keyPath: 'uid', table: 'favorites', row: { uid: 'ann', cursor: 'c', ids: ['abcdefghijk'], atMs: [4] } },
  {
    store: 'favoriteClocks',
    keyPath: 'uid',
    table: 'favoriteClocks',
    row: { uid: 'ann', device: '01234567-89ab-cdef-0123-456789abcdef', atMs: 4 },
  },
  {
    store: 'recentPlays',
    keyPath: 'id',
    table: 'recentPlays',
    row: { id: 'abcdefghijk', song, contextId: 'p', playedAtMs: 6 },
  },
  {
    store: 'documents',
    keyPath: 'name',
    table: 'documents',
    row: { name: 'academy', content: { title: 'Academy', text: '', points: [] } },
  },
  {
    store: 'members',
    keyPath: 'channel_id',
    table: 'members',
    row: { channel_id: 'UC1', channel_name: 'Member', channel_pic: '', sub_tag: '', testimonial: '', subs: 1, views: 1 },
  },
  { store: 'supporters', keyPath: 'domain_name', table: 'supporters', row: { domain_name: 'ann', name: 'Ann', profile_pic: '' } },
  { store: 'memberStats', keyPath: 'key', table: 'memberStats', row: { key: 'stats', stats: { members: 1, subs: 1, views: 1 } } },
]

/** Creates the database with IndexedDB itself, without Dexie. */
const createStoredDatabase = () =>
  new Promise<void>((resolve, reject) => {
    const request = indexedDB.open(DATABASE_NAME, INDEXED_DB_VERSION)
    request.onerror = () => reject(request.error)
    request.onupgradeneeded = () => {
      for (const { store, keyPath, row } of storedTables) {
        const objectStore = request.result.createObjectStore(store, { keyPath })
        if (store === 'visits') objectStore.createIndex('fetchedAtMs', 'fetchedAtMs')
        objectStore.add(row)
      }
    }
    request.onsuccess = () => {
      request.result.close()
      resolve()
    }
  })

afterEach(() => Dexie.delete(DATABASE_NAME))

it('stored before: a database that an earlier build created can be opened, and every row is read', async () => {
  await createStoredDatabase()
  const database = await openDeviceDatabase(DATABASE_NAME)
  expect(database.health).toBe('persistent')
  await database.read(async (tables) => {
    for (const { table, keyPath, row } of storedTables) {
      const { all, get }: Table<object> = tables[table]
      expect(await all(), table).toEqual([row])
      expect(await get(String(Reflect.get(row, keyPath))), table).toEqual(row)
    }
  })
  const newerTableNames: TableName[] = ['ownPlaylists', 'ownPlaylistCursors', 'follows', 'followedSongs', 'listening']
  expect(new Set(await database.read(async (tables) => Object.keys(tables)))).toEqual(
    new Set([...storedTables.map(({ table }) => table), ...newerTableNames]),
  )
  for (const table of newerTableNames) expect(await database.read((tables) => tables[table].count()), table).toBe(0)
})
