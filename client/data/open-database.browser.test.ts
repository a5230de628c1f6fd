import { Dexie } from 'dexie'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPageDexie, PINNED_PLAYLISTS_TABLE, SCHEMA_VERSION } from './dexie-database.ts'
import type { DeviceDatabase, OutboxRow, PinnedPlaylistRow } from './local-database.ts'
import { createSongIndex } from './song-index.ts'
import { openDeviceDatabase } from './testing/databases.ts'
import { createTestMember, createTestSong } from './testing/rows.ts'

let databaseName = ''
let databaseCount = 0
const openedDatabases: { close(): void }[] = []
beforeEach(() => {
  databaseCount += 1
  databaseName = `open-test-${databaseCount}`
  // Dexie logs the errors that these tests cause.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const each of openedDatabases.splice(0)) each.close()
  await Dexie.delete(databaseName)
})

const readTitles = (database: DeviceDatabase) => database.read(async (tables) => (await tables.songs.all()).map((song) => song.title))
const putSong = (database: DeviceDatabase, index: number) => database.change((tables) => tables.songs.put([createTestSong(index)]))

const pinnedRow: PinnedPlaylistRow = {
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

/** Opens the database with the first version of the schema. */
async function openFirstVersion() {
  const dexieDatabase = new Dexie(databaseName)
  dexieDatabase.version(1).stores({ songs: 'youtube_id', playlists: 'id', lists: 'key', details: 'key', visits: 'key, fetchedAtMs' })
  await dexieDatabase.open()
  openedDatabases.push(dexieDatabase)
  return dexieDatabase
}

/** Opens the database as a newer build would, with a higher schema version. */
async function openNextVersion() {
  const dexieDatabase = new Dexie(databaseName)
  dexieDatabase.version(SCHEMA_VERSION + 1).stores({
    songs: 'youtube_id, title',
    playlists: 'id',
    lists: 'key',
    details: 'key',
    visits: 'key',
    feed: 'id',
    site: 'key',
    [PINNED_PLAYLISTS_TABLE]: 'id',
    accounts: 'uid',
    makeHistories: 'uid',
    outbox: 'id',
  })
  await dexieDatabase.open()
  openedDatabases.push(dexieDatabase)
  return dexieDatabase
}

describe('open database', () => {
  it('open database: rows of the first schema are upgraded', async () => {
    const oldDatabase = await openFirstVersion()
    await oldDatabase.table('songs').put(createTestSong(1))
    await oldDatabase.table('lists').put({ key: 'playlist:p', ids: [createTestSong(1).youtube_id], complete: true })
    await oldDatabase.table('visits').put({ key: 'playlist:p', fetchedAtMs: 77 })
    oldDatabase.close()
    const database = await openDeviceDatabase(databaseName)
    expect(database.health).toBe('persistent')
    expect(await readTitles(database)).toEqual(['Song 1'])
    expect(await database.read((tables) => tables.visits.get('playlist:p'))).toEqual({ key: 'playlist:p', fetchedAtMs: 77, usedAtMs: 77 })
    await database.change((tables) => tables.site.put([]))
    await database.change((tables) => tables.members.put([createTestMember(1)]))
    await database.change((tables) =>
      tables.feed.put([{ id: 'f', title: '', content: '', content_tree: [], image: '', url: '', date: '' }]),
    )
  })

  it('open database: when a tab with a newer schema needs to upgrade, the old tab closes the database and keeps the shown rows in memory', async () => {
    const database = await openDeviceDatabase(databaseName)
    await putSong(database, 1)
    const seenCounts: (string[] | undefined)[] = []
    const stopWatching = database.watch(
      async (tables) => {
        const rows = await tables.songs.all()
        return rows.length === 0 ? undefined : rows.map((song) => song.title)
      },
      {
        next: (value) => seenCounts.push(value),
        error: (error) => {
          throw error
        },
      },
    )
    await vi.waitFor(() => expect(seenCounts.at(-1)).toEqual(['Song 1']))
    const healthChanged = vi.fn()
    database.onHealth(healthChanged)
    const newerDatabase = await openNextVersion()
    expect(newerDatabase.verno).toBe(SCHEMA_VERSION + 1)
    expect(database.health).toBe('outdated')
    expect(healthChanged).toHaveBeenCalled()
    await putSong(database, 2)
    // Rows that a newer build wrote are read if they are valid in this version.
    await vi.waitFor(() => expect(seenCounts.at(-1)).toEqual(['Song 1', 'Song 2']))
    expect(seenCounts).not.toContain(undefined)
    // Checks that writes of the old tab no longer reach the upgraded database, but that its writes before the upgrade did.
    expect((await newerDatabase.table('songs').toArray()).map((song) => song.title)).toEqual(['Song 1'])
    stopWatching()
  })

  describe('a database that the browser closes', () => {
    /** Records every connection to IndexedDB that is opened from now on, so that a test can close it as the browser does. */
    function recordConnections() {
      const connections: IDBDatabase[] = []
      const openIndexedDb = indexedDB.open.bind(indexedDB)
      vi.spyOn(indexedDB, 'open').mockImplementation((...args) => {
        const request = openIndexedDb(...args)
        request.addEventListener('success', () => connections.push(request.result))
        return request
      })
      return connections
    }
    const simulateBrowserClose = (connection: IDBDatabase | undefined, firesCloseEvent: boolean) => {
      connection?.close()
      if (firesCloseEvent) connection?.dispatchEvent(new Event('close'))
    }

    it.each([
      { title: 'with an event', tellsPage: true },
      { title: 'without an event', tellsPage: false },
    ])(
      'a database that the browser closed is opened again, $title: rows that are written afterwards are on disk',
      async ({ tellsPage }) => {
        const connections = recordConnections()
        const database = await openDeviceDatabase(databaseName)
        await putSong(database, 1)
        const healthChanged = vi.fn()
        database.onHealth(healthChanged)
        simulateBrowserClose(connections.at(-1), tellsPage)
        await putSong(database, 2)
        expect(await readTitles(database)).toEqual(['Song 1', 'Song 2'])
        expect(database.health).toBe('persistent')
        expect(healthChanged).not.toHaveBeenCalled()
        expect(await readTitles(await openDeviceDatabase(databaseName))).toEqual(['Song 1', 'Song 2'])
      },
    )

    it('a database that the browser closes again right after it was reopened is given up: rows are kept in memory', async () => {
      const connections = recordConnections()
      const database = await openDeviceDatabase(databaseName)
      await putSong(database, 1)
      simulateBrowserClose(connections.at(-1), true)
      await putSong(database, 2)
      simulateBrowserClose(connections.at(-1), true)
      await vi.waitFor(() => expect(database.health).toBe('refused'))
      await putSong(database, 3)
      expect(await readTitles(database)).toEqual(['Song 1', 'Song 2', 'Song 3'])
    })
  })

  it('open database: a database that a newer build upgraded is read and never written', async () => {
    const newerDatabase = await openNextVersion()
    await newerDatabase.table('songs').put(createTestSong(1))
    await newerDatabase.table('songs').put({ youtube_id: 'of another shape' })
    await newerDatabase.table('kept').put({ id: 'of another shape' })
    newerDatabase.close()
    const database = await openDeviceDatabase(databaseName)
    expect(database.health).toBe('outdated')
    await putSong(database, 2)
    expect(await readTitles(database)).toEqual(['Song 1', 'Song 2'])
    expect(await database.read((tables) => tables.pinned.all())).toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    // Checks that the newer build can open the database again.
    const reopenedNewer = await openNextVersion()
    expect(await reopenedNewer.table('songs').count()).toBe(2)
    expect(await reopenedNewer.table('kept').toArray()).toEqual([{ id: 'of another shape' }])
  })

  it('open database: a tab that does not close the database does not block another tab from opening it', async () => {
    const oldDatabase = await openFirstVersion()
    oldDatabase.on('versionchange', () => false)
    const database = await openDeviceDatabase(databaseName, 300)
    expect(database.health).toBe('blocked')
    await putSong(database, 1)
    expect(await readTitles(database)).toEqual(['Song 1'])
  })

  it('open database: if the browser refuses the database, rows are stored in memory', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('private', 'SecurityError')
    })
    const database = await openDeviceDatabase(databaseName)
    expect(database.health).toBe('refused')
    await putSong(database, 1)
    expect(await readTitles(database)).toEqual(['Song 1'])
  })

  it('open database: if opening times out, rows are stored in memory', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => new EventTarget() as IDBOpenDBRequest)
    const database = await openDeviceDatabase(databaseName, 100)
    expect(database.health).toBe('refused')
    await putSong(database, 1)
    expect(await readTitles(database)).toEqual(['Song 1'])
  })

  it('open database: a transient error loses no rows', async () => {
    const databaseBefore = await openDeviceDatabase(databaseName)
    await databaseBefore.change((tables) => tables.pinned.put([pinnedRow]))
    const originalOpen = indexedDB.open.bind(indexedDB)
    const deadlineMs = performance.now() + 300
    const openSpy = vi.spyOn(indexedDB, 'open').mockImplementation((...args) => {
      if (performance.now() < deadlineMs)
        throw new DOMException('Internal error opening backing database for indexedDB.open.', 'UnknownError')
      return originalOpen(...args)
    })
    const database = await openDeviceDatabase(databaseName)
    openSpy.mockRestore()
    expect(database.health).toBe('persistent')
    expect(await database.read((tables) => tables.pinned.all())).toEqual([pinnedRow])
  })

  it('open database: an unreadable database is replaced by a new one, and reported as restarted', async () => {
    const brokenDatabase = createPageDexie(databaseName)
    await brokenDatabase.open()
    await brokenDatabase.table('songs').put(createTestSong(1))
    brokenDatabase.close()
    const openIndexedDb = indexedDB.open.bind(indexedDB)
    let isCorrupt = true
    vi.spyOn(indexedDB, 'deleteDatabase').mockImplementationOnce((deletedName) => {
      isCorrupt = false
      vi.mocked(indexedDB.deleteDatabase).mockRestore()
      return indexedDB.deleteDatabase(deletedName)
    })
    vi.spyOn(indexedDB, 'open').mockImplementation((...args) => {
      if (isCorrupt) throw new DOMException('Internal error opening backing database for indexedDB.open.', 'UnknownError')
      return openIndexedDb(...args)
    })
    const database = await openDeviceDatabase(databaseName)
    expect(database.health).toBe('restarted')
    expect(await readTitles(database)).toEqual([])
    await putSong(database, 2)
    expect(await readTitles(database)).toEqual(['Song 2'])
  })

  it('open database: missing tables are added and unknown tables stay', async () => {
    const newerDatabase = new Dexie(databaseName)
    newerDatabase.version(2).stores({ songs: 'youtube_id', visits: 'key', strange: 'id' })
    await newerDatabase.open()
    await newerDatabase.table('songs').put(createTestSong(1))
    newerDatabase.close()
    const database = await openDeviceDatabase(databaseName)
    expect(database.health).toBe('persistent')
    expect(await readTitles(database)).toEqual(['Song 1'])
    await database.change((tables) => tables.pinned.put([pinnedRow]))
    expect(await database.read((tables) => tables.pinned.get('p'))).toEqual(pinnedRow)
  })

  it('open database: if the primary key of a table differs, the database is recreated; pinned playlists, the outbox and playlists without an account are kept', async () => {
    const newerDatabase = new Dexie(databaseName)
    newerDatabase.version(2).stores({
      songs: 'id',
      playlists: 'id',
      lists: 'key',
      details: 'key',
      visits: 'key',
      feed: 'id',
      site: 'key',
      [PINNED_PLAYLISTS_TABLE]: 'id',
      outbox: 'id',
      ownPlaylists: 'id',
    })
    await newerDatabase.open()
    await newerDatabase.table('kept').put(pinnedRow)
    const playlistRow = { id: 'l', uid: '', title: 'L', description: '', addedAtMs: 1, entryIds: ['e'], songIds: ['s'], positions: ['a'] }
    await newerDatabase
      .table('ownPlaylists')
      .bulkPut([playlistRow, { ...playlistRow, id: 'odd', positions: [] }, { ...playlistRow, id: 'm', uid: 'ann' }])
    await newerDatabase.table('outbox').bulkPut([waitingRow, { ...waitingRow, id: 'odd', attempts: 'many' }])
    newerDatabase.close()
    const database = await openDeviceDatabase(databaseName)
    expect(database.health).toBe('persistent')
    await putSong(database, 2)
    expect(await readTitles(database)).toEqual(['Song 2'])
    expect(await database.read((tables) => tables.pinned.all())).toMatchObject([
      { id: 'p', title: 'P', state: 'fetching', pictures: pinnedRow.pictures },
    ])
    expect(await database.read((tables) => tables.outbox.all())).toEqual([waitingRow])
    expect(await database.read((tables) => tables.ownPlaylists.all())).toEqual([playlistRow])
    expect(await database.read((tables) => tables.ownPlaylistCursors.keys())).toEqual([''])
  })

  it('open database: offline search finds titles that another tab has written', async () => {
    const [firstTab, secondTab] = [await openDeviceDatabase(databaseName), await openDeviceDatabase(databaseName)]
    const songIndex = createSongIndex(firstTab)
    const findSongs = (text: string) => songIndex.search({ text, artist: false, sort: 'az' })
    const writeSong = (title: string) => secondTab.change((tables) => tables.songs.put([createTestSong(1, { title })]))
    await writeSong('Rain')
    await vi.waitFor(async () => expect(await findSongs('rain')).toHaveLength(1))
    // Checks that the number of stored songs is unchanged.
    await writeSong('Neon')
    await vi.waitFor(async () => expect(await findSongs('neon')).toHaveLength(1))
    expect(await findSongs('rain')).toEqual([])
    await secondTab.change((tables) => tables.songs.remove([createTestSong(1).youtube_id]))
    await vi.waitFor(async () => expect(await findSongs('neon')).toEqual([]))
  })

  it('open database: watches are notified of writes of another tab', async () => {
    const [firstTab, secondTab] = [await openDeviceDatabase(databaseName), await openDeviceDatabase(databaseName)]
    const seenCounts: number[] = []
    const stopWatching = firstTab.watch((tables) => tables.songs.count(), { next: (count) => seenCounts.push(count), error: () => {} })
    await vi.waitFor(() => expect(seenCounts).toEqual([0]))
    await putSong(secondTab, 1)
    await vi.waitFor(() => expect(seenCounts.at(-1)).toBe(1))
    stopWatching()
  })
})
