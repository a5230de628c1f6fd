import { Dexie } from 'dexie'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CatalogueDb, SCHEMA_VERSION } from './db.ts'
import { readOnce } from './memory-store.ts'
import { openStore } from './open-store.ts'
import type { DeviceStore, KeptRow, OutboxRow } from './store.ts'
import { testSong } from './testing/rows.ts'

let name = ''
let made = 0
const opened: { close(): void }[] = []
beforeEach(() => {
  made += 1
  name = `open-test-${made}`
  // Dexie says in the console what these tests bring about.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const each of opened.splice(0)) each.close()
  await Dexie.delete(name)
})

const titles = (store: DeviceStore) => readOnce(store, async (tables) => (await tables.songs.all()).map((song) => song.title))
const put = (store: DeviceStore, index: number) => store.change((tables) => tables.songs.put([testSong(index)]))

const keptRow: KeptRow = {
  id: 'p',
  title: 'P',
  keptAtMs: 7,
  state: 'done',
  songCount: 1,
  pictures: ['/img/song/a/160'],
  rowBytes: 10,
  pictureBytes: 20,
}

const waitingRow: OutboxRow = {
  id: 'w',
  uid: 'ann',
  call: 'POST /make/history',
  body: { file_name: 'a.wav', file_size: 1, speed: 1, pitch: 0, change_id: 'w', exported_at: '2026-03-01T12:00:00.000Z' },
  createdAtMs: 5,
  attempts: 1,
  lastError: 'No connection to the server.',
  state: 'waiting',
}

/** The schema as the first version of the site had it. */
async function openFirstVersion() {
  const db = new Dexie(name)
  db.version(1).stores({ songs: 'youtube_id', playlists: 'id', lists: 'key', details: 'key', visits: 'key, fetchedAtMs' })
  await db.open()
  opened.push(db)
  return db
}

/** A schema that this version does not know yet. */
async function openNextVersion() {
  const db = new Dexie(name)
  db.version(SCHEMA_VERSION + 1).stores({
    songs: 'youtube_id, title',
    playlists: 'id',
    lists: 'key',
    details: 'key',
    visits: 'key',
    feed: 'id',
    site: 'key',
    kept: 'id',
    accounts: 'uid',
    makeHistories: 'uid',
    outbox: 'id',
  })
  await db.open()
  opened.push(db)
  return db
}

describe('opening the database', () => {
  it('takes over the rows of the first schema', async () => {
    const old = await openFirstVersion()
    await old.table('songs').put(testSong(1))
    await old.table('lists').put({ key: 'playlist:p', ids: [testSong(1).youtube_id], complete: true })
    await old.table('visits').put({ key: 'playlist:p', fetchedAtMs: 77 })
    old.close()
    const store = await openStore(name)
    expect(store.health).toBe('kept')
    expect(await titles(store)).toEqual(['Song 1'])
    expect(await readOnce(store, (tables) => tables.visits.get('playlist:p'))).toEqual({ key: 'playlist:p', fetchedAtMs: 77, usedAtMs: 77 })
    await store.change((tables) => tables.site.put([]))
    await store.change((tables) => tables.feed.put([{ id: 'f', title: '', content: '', image: '', url: '', date: '' }]))
  })

  it('closes for a tab of a newer schema, and goes on in memory with what is on screen', async () => {
    const store = await openStore(name)
    await put(store, 1)
    const seen: (string[] | undefined)[] = []
    const stop = store.watch(
      async (tables) => {
        const rows = await tables.songs.all()
        return rows.length === 0 ? undefined : rows.map((song) => song.title)
      },
      {
        next: (value) => seen.push(value),
        error: (error) => {
          throw error
        },
      },
    )
    await vi.waitFor(() => expect(seen.at(-1)).toEqual(['Song 1']))
    const told = vi.fn()
    store.onHealth(told)
    const newer = await openNextVersion()
    expect(newer.verno).toBe(SCHEMA_VERSION + 1)
    expect(store.health).toBe('outdated')
    expect(told).toHaveBeenCalled()
    await put(store, 2)
    // What the newer version has is read as far as it is as this one knows it.
    await vi.waitFor(() => expect(seen.at(-1)).toEqual(['Song 1', 'Song 2']))
    expect(seen).not.toContain(undefined)
    // What the old tab writes does not reach the new one's database; what it had written is there.
    expect((await newer.table('songs').toArray()).map((song) => song.title)).toEqual(['Song 1'])
    stop()
  })

  it('reads a database that a newer version has made, and does not write into it', async () => {
    const newer = await openNextVersion()
    await newer.table('songs').put(testSong(1))
    await newer.table('songs').put({ youtube_id: 'of another shape' })
    await newer.table('kept').put({ id: 'of another shape' })
    newer.close()
    const store = await openStore(name)
    expect(store.health).toBe('outdated')
    await put(store, 2)
    expect(await titles(store)).toEqual(['Song 1', 'Song 2'])
    expect(await readOnce(store, (tables) => tables.kept.all())).toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    // The newer version is not kept from opening it again.
    const again = await openNextVersion()
    expect(await again.table('songs').count()).toBe(2)
    expect(await again.table('kept').toArray()).toEqual([{ id: 'of another shape' }])
  })

  it('does not hang on a tab that does not let go', async () => {
    const old = await openFirstVersion()
    old.on('versionchange', () => false)
    const store = await openStore(name, 300)
    expect(store.health).toBe('blocked')
    await put(store, 1)
    expect(await titles(store)).toEqual(['Song 1'])
  })

  it('works in memory where the browser refuses a database', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('private', 'SecurityError')
    })
    const store = await openStore(name)
    expect(store.health).toBe('refused')
    await put(store, 1)
    expect(await titles(store)).toEqual(['Song 1'])
  })

  it('works in memory where the browser neither opens nor refuses', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => new EventTarget() as IDBOpenDBRequest)
    const store = await openStore(name, 100)
    expect(store.health).toBe('refused')
    await put(store, 1)
    expect(await titles(store)).toEqual(['Song 1'])
  })

  it('loses nothing where a database cannot be read for a moment', async () => {
    const before = await openStore(name)
    await before.change((tables) => tables.kept.put([keptRow]))
    const open = indexedDB.open.bind(indexedDB)
    const until = performance.now() + 300
    const spy = vi.spyOn(indexedDB, 'open').mockImplementation((...args) => {
      if (performance.now() < until) throw new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError')
      return open(...args)
    })
    const store = await openStore(name)
    spy.mockRestore()
    expect(store.health).toBe('kept')
    expect(await readOnce(store, (tables) => tables.kept.all())).toEqual([keptRow])
  })

  it('begins a database anew that cannot be read, and says so', async () => {
    const broken = new CatalogueDb(name)
    await broken.open()
    await broken.songs.put(testSong(1))
    broken.close()
    const open = indexedDB.open.bind(indexedDB)
    let corrupt = true
    vi.spyOn(indexedDB, 'deleteDatabase').mockImplementationOnce((gone) => {
      corrupt = false
      vi.mocked(indexedDB.deleteDatabase).mockRestore()
      return indexedDB.deleteDatabase(gone)
    })
    vi.spyOn(indexedDB, 'open').mockImplementation((...args) => {
      if (corrupt) throw new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError')
      return open(...args)
    })
    const store = await openStore(name)
    expect(store.health).toBe('restarted')
    expect(await titles(store)).toEqual([])
    await put(store, 2)
    expect(await titles(store)).toEqual(['Song 2'])
  })

  it('adds tables that are missing, and leaves those that it does not know', async () => {
    const odd = new Dexie(name)
    odd.version(2).stores({ songs: 'youtube_id', visits: 'key', strange: 'id' })
    await odd.open()
    await odd.table('songs').put(testSong(1))
    odd.close()
    const store = await openStore(name)
    expect(store.health).toBe('kept')
    expect(await titles(store)).toEqual(['Song 1'])
    await store.change((tables) => tables.kept.put([keptRow]))
    expect(await readOnce(store, (tables) => tables.kept.get('p'))).toEqual(keptRow)
  })

  it('begins anew where a table has other keys, and goes on keeping what was kept and sending what was not sent', async () => {
    const odd = new Dexie(name)
    odd.version(2).stores({
      songs: 'id',
      playlists: 'id',
      lists: 'key',
      details: 'key',
      visits: 'key',
      feed: 'id',
      site: 'key',
      kept: 'id',
      outbox: 'id',
    })
    await odd.open()
    await odd.table('kept').put(keptRow)
    await odd.table('outbox').bulkPut([waitingRow, { ...waitingRow, id: 'odd', attempts: 'many' }])
    odd.close()
    const store = await openStore(name)
    expect(store.health).toBe('kept')
    await put(store, 2)
    expect(await titles(store)).toEqual(['Song 2'])
    expect(await readOnce(store, (tables) => tables.kept.all())).toMatchObject([
      { id: 'p', title: 'P', state: 'fetching', pictures: keptRow.pictures },
    ])
    expect(await readOnce(store, (tables) => tables.outbox.all())).toEqual([waitingRow])
  })

  it('is told of rows that another tab writes', async () => {
    const [here, there] = [await openStore(name), await openStore(name)]
    const seen: number[] = []
    const stop = here.watch((tables) => tables.songs.count(), { next: (count) => seen.push(count), error: () => {} })
    await vi.waitFor(() => expect(seen).toEqual([0]))
    await put(there, 1)
    await vi.waitFor(() => expect(seen.at(-1)).toBe(1))
    stop()
  })
})
