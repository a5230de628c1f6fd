import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { Api } from '../platform/api.ts'
import { forgetAccount } from './forget-account.ts'
import { ANONYMOUS_UID } from './local-database.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { createOfflinePlaylists, type OfflinePlaylists } from './offline-playlists.ts'
import { createOwnPlaylists } from './own-playlists.ts'
import { createTestSong } from './testing/rows.ts'

const songPath = (index: number) => `/img/song/${createTestSong(index).youtube_id}/160`

function createTestSetup(startUid = ANONYMOUS_UID) {
  const database = createMemoryDatabase()
  const ownPlaylists = createOwnPlaylists({ database, sendOutbox: () => {} })
  const picturePaths = new Set<string>()
  const setup = { uid: startUid, isOffline: false }
  const open = () =>
    createOfflinePlaylists({
      // The cast is safe, because own playlists are not requested.
      api: {} as Api,
      database,
      pictures: {
        has: async (path) => picturePaths.has(path),
        async add(path) {
          if (setup.isOffline) throw new TypeError('Failed to fetch')
          picturePaths.add(path)
          return 1000
        },
        async remove(paths) {
          for (const path of paths) picturePaths.delete(path)
        },
      },
      pixelRatio: 1,
      getOwner: () => setup.uid,
      requestPersistentStorage: async () => true,
    })
  return Object.assign(setup, {
    database,
    ownPlaylists,
    picturePaths,
    open,
    create: (title: string, ...songIndexes: number[]) =>
      ownPlaylists.create(setup.uid, { title, songs: songIndexes.map((index) => createTestSong(index)) }),
    /** Stores that all playlists of the account are on this device, or that some are not. */
    putCursor: (uid: string, hasMore: boolean) =>
      database.change((tables) => tables.ownPlaylistCursors.put([{ uid, cursor: 'c', ...(hasMore && { more: true as const }) }])),
    readTitles: async () => (await database.read((tables) => tables.pinned.all())).map(({ title }) => title),
  })
}

/** Resumes as if eleven minutes had passed. */
async function resumeLater(offlinePlaylists: OfflinePlaylists) {
  const laterMs = Date.now() + 660_000
  const clock = vi.spyOn(Date, 'now').mockReturnValue(laterMs)
  try {
    await offlinePlaylists.resume()
  } finally {
    clock.mockRestore()
  }
}

it('kept own playlists: a renamed playlist is listed with its new title, and the pictures of an added song are downloaded at once', async () => {
  const setup = createTestSetup()
  const id = await setup.create('Summer', 1)
  await setup.open().pin(`my-${id}`, 'Summer')
  await setup.ownPlaylists.change(ANONYMOUS_UID, id, { title: 'Winter' })
  await vi.waitFor(async () => expect(await setup.readTitles()).toEqual(['Winter']))
  await setup.ownPlaylists.addSongs(ANONYMOUS_UID, id, [createTestSong(7)], { duplicates: 'keep' })
  await vi.waitFor(() => expect([...setup.picturePaths]).toContain(songPath(7)))
})

it('kept own playlists: after a start, a playlist that was renamed elsewhere has its title', async () => {
  const setup = createTestSetup()
  const id = await setup.create('Summer', 1)
  await setup.open().pin(`my-${id}`, 'Summer')
  await setup.database.change(async (tables) => {
    const row = await tables.pinned.get(`my-${id}`)
    if (row) await tables.pinned.put([{ ...row, title: 'Before' }])
  })
  await setup.open().resume()
  await vi.waitFor(async () => expect(await setup.readTitles()).toEqual(['Summer']))
})

it('kept own playlists: a deleted playlist and its pictures go with a later start, unless the deletion was undone', async () => {
  const setup = createTestSetup()
  const [deletedId, undoneId] = [await setup.create('Deleted', 1), await setup.create('Undone', 2)]
  const offlinePlaylists = setup.open()
  await offlinePlaylists.pin(`my-${deletedId}`, 'Deleted')
  await offlinePlaylists.pin(`my-${undoneId}`, 'Undone')
  for (const id of [deletedId, undoneId]) await setup.ownPlaylists.remove(ANONYMOUS_UID, id)
  expect(await setup.readTitles()).toEqual(['Deleted', 'Undone'])
  await setup.ownPlaylists.restore(ANONYMOUS_UID, undoneId)
  await resumeLater(offlinePlaylists)
  expect(await setup.readTitles()).toEqual(['Undone'])
  expect([setup.picturePaths.has(songPath(1)), setup.picturePaths.has(songPath(2))]).toEqual([false, true])
})

it('kept own playlists: a reconnection or another tab does not remove a playlist that was deleted just now, so that Undo needs no download', async () => {
  const setup = createTestSetup()
  const id = await setup.create('Summer', 1)
  const offlinePlaylists = setup.open()
  await offlinePlaylists.pin(`my-${id}`, 'Summer')
  await setup.ownPlaylists.remove(ANONYMOUS_UID, id)
  await offlinePlaylists.resume()
  await setup.open().resume()
  setup.isOffline = true
  await setup.ownPlaylists.restore(ANONYMOUS_UID, id)
  expect(await setup.readTitles()).toEqual(['Summer'])
  expect(setup.picturePaths.has(songPath(1))).toBe(true)
})

it('kept own playlists: a download that a deletion interrupts goes on after Undo', async () => {
  const setup = createTestSetup()
  const id = await setup.create('Summer', 1)
  setup.isOffline = true
  await setup.open().pin(`my-${id}`, 'Summer')
  await setup.ownPlaylists.remove(ANONYMOUS_UID, id)
  setup.isOffline = false
  const offlinePlaylists = setup.open()
  await offlinePlaylists.resume()
  expect([...offlinePlaylists.downloads()]).toEqual([])
  await setup.ownPlaylists.restore(ANONYMOUS_UID, id)
  await vi.waitFor(() => expect(setup.picturePaths.has(songPath(1))).toBe(true))
})

it('kept own playlists: while not all playlists of the account are on the device, none is removed', async () => {
  const setup = createTestSetup('ann')
  const id = await setup.create('Mine', 1)
  const offlinePlaylists = setup.open()
  await offlinePlaylists.pin(`my-${id}`, 'Mine')
  // A database that had to be created again has the pins, but no playlists of the account.
  await forgetAccount(setup.database, 'ann')
  await setup.database.change(async (tables) => tables.outbox.remove(await tables.outbox.keys()))
  await offlinePlaylists.resume()
  await setup.putCursor('ann', true)
  await offlinePlaylists.resume()
  expect(await setup.readTitles()).toEqual(['Mine'])
  await setup.putCursor('ann', false)
  await offlinePlaylists.resume()
  expect(await setup.readTitles()).toEqual([])
})

it('kept own playlists: the playlists of an account that has signed out are removed at the next start, those of the present account stay', async () => {
  const setup = createTestSetup('ann')
  const offlinePlaylists = setup.open()
  await offlinePlaylists.pin(`my-${await setup.create('Of Ann', 1)}`, 'Of Ann')
  setup.uid = 'bob'
  await offlinePlaylists.pin(`my-${await setup.create('Of Bob', 2)}`, 'Of Bob')
  await setup.putCursor('bob', false)
  await setup.open().resume()
  expect(await setup.readTitles()).toEqual(['Of Bob'])
})

it('kept own playlists: a change does not restart a download that waits for a connection', async () => {
  const setup = createTestSetup()
  const id = await setup.create('Summer', 1)
  const offlinePlaylists = setup.open()
  setup.isOffline = true
  await offlinePlaylists.pin(`my-${id}`, 'Summer')
  setup.isOffline = false
  await setup.ownPlaylists.change(ANONYMOUS_UID, id, { title: 'Winter' })
  await vi.waitFor(async () => expect(await setup.readTitles()).toEqual(['Winter']))
  expect(offlinePlaylists.downloads().get(`my-${id}`)?.halted).toBe('offline')
  await offlinePlaylists.resume()
  expect(setup.picturePaths.has(songPath(1))).toBe(true)
})

it('kept own playlists: whatever is changed, exactly the playlists that exist are kept, with their titles and the pictures of their songs', async () => {
  const anyChange = fc.record({
    kind: fc.constantFrom('rename', 'add', 'drop', 'remove', 'restore', 'resume', 'pin'),
    playlist: fc.nat(1),
    value: fc.integer({ min: 3, max: 9 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(anyChange, { maxLength: 12 }), async (changes) => {
      const setup = createTestSetup()
      const offlinePlaylists = setup.open()
      const ids = [await setup.create('A', 1), await setup.create('B', 2)]
      const pin = (id: string) => offlinePlaylists.pin(`my-${id}`, 'Title')
      for (const { kind, playlist, value } of changes) {
        const id = ids[playlist] ?? ''
        if (kind === 'rename') await setup.ownPlaylists.change(ANONYMOUS_UID, id, { title: `Title ${value}` })
        if (kind === 'add') await setup.ownPlaylists.addSongs(ANONYMOUS_UID, id, [createTestSong(value)], { duplicates: 'skip' })
        if (kind === 'drop') {
          const content = await setup.ownPlaylists.readContent(ANONYMOUS_UID, id)
          const [droppedEntry] = content?.entries ?? []
          if (droppedEntry) await setup.ownPlaylists.removeEntries(ANONYMOUS_UID, id, [droppedEntry.e])
        }
        if (kind === 'remove') await setup.ownPlaylists.remove(ANONYMOUS_UID, id)
        if (kind === 'restore') await setup.ownPlaylists.restore(ANONYMOUS_UID, id)
        if (kind === 'resume') await offlinePlaylists.resume()
        if (kind === 'pin') await pin(id)
      }
      await resumeLater(setup.open())
      await vi.waitFor(async () => {
        const pinnedRows = await setup.database.read((tables) => tables.pinned.all())
        const expectedPaths = new Set<string>()
        for (const { id, title, songCount } of pinnedRows) {
          const content = await setup.ownPlaylists.readContent(ANONYMOUS_UID, id.slice(3))
          expect(content?.summary).toMatchObject({ title, songCount })
          expect(content?.summary.deletedAtMs).toBeUndefined()
          for (const { songId } of content?.entries ?? []) expectedPaths.add(`/img/song/${songId}/160`)
        }
        expect([...setup.picturePaths].filter((path) => path.endsWith('/160')).sort()).toEqual([...expectedPaths].sort())
      })
    }),
    { numRuns: 25 },
  )
})
