import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  DELETED_PLAYLIST_RESTORABLE_MS,
  ENTRIES_PER_ACCOUNT_MAX,
  ENTRIES_PER_CHANGE_MAX,
  ENTRIES_PER_PLAYLIST_MAX,
  OWN_PLAYLISTS_MAX,
  ownPlaylistMessages,
} from '../../contract/own-playlist-rules.ts'
import { clearCache } from './eviction.ts'
import { forgetAccount } from './forget-account.ts'
import { ANONYMOUS_UID, type LocalDatabase, type OwnPlaylistRow } from './local-database.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { OwnPlaylistRefusal } from './own-playlist-edits.ts'
import { createOwnPlaylists } from './own-playlists.ts'
import { createPlaylistReader, listSongs, readQuery } from './testing/own-playlists.ts'
import { createTestSong } from './testing/rows.ts'

let database: LocalDatabase
let nowMs: number
beforeEach(() => {
  database = createMemoryDatabase()
  nowMs = Date.parse('2026-03-01T12:00:00Z')
})

const createSongs = (...numbers: number[]) => numbers.map((n) => createTestSong(n))
const createSongIds = (...numbers: number[]) => numbers.map((n) => createTestSong(n).youtube_id)
const openPlaylists = (ownDatabase = database) => createOwnPlaylists({ database: ownDatabase, sendOutbox: () => {}, nowMs: () => nowMs })
const { songIdsOf, entriesOf, titlesOf, readChanges } = createPlaylistReader(() => database)

describe.each([
  ['an account', 'ann'],
  ['a person who is not signed in', ANONYMOUS_UID],
])('own playlists of %s', (_, uid) => {
  it('own playlists: a new playlist has its title, description and songs in order', async () => {
    const playlists = openPlaylists()
    const playlistId = await playlists.create(uid, { title: ' Night drive ', description: 'Slow', songs: createSongs(3, 1, 2, 1) })
    expect(await readQuery(playlists.all(uid))).toMatchObject([
      { id: playlistId, title: 'Night drive', description: 'Slow', songCount: 4, firstSongIds: createSongIds(3, 1, 2), addedAtMs: nowMs },
    ])
    expect(listSongs(await readQuery(playlists.content(uid, playlistId)))).toEqual(createSongs(3, 1, 2, 1))
    expect(await songIdsOf(uid, playlistId)).toEqual(createSongIds(3, 1, 2, 1))
  })

  it('own playlists: texts that are too long are shortened to what the server accepts, without half a character', async () => {
    const playlists = openPlaylists()
    const playlistId = await playlists.create(uid, { title: `\u202E${'🎵'.repeat(60)}x`, description: 'long '.repeat(1000) })
    expect(await readQuery(playlists.summary(uid, playlistId))).toMatchObject({
      title: '🎵'.repeat(50),
      description: 'long '.repeat(400).trim(),
    })
    await playlists.change(uid, playlistId, { title: `${'a'.repeat(99)}🎵` })
    expect(await readQuery(playlists.summary(uid, playlistId))).toMatchObject({ title: 'a'.repeat(99) })
  })

  it('own playlists: songs can be added with and without duplicates', async () => {
    const playlists = openPlaylists()
    const playlistId = await playlists.create(uid, { title: 'A', songs: createSongs(1, 2) })
    const { added, duplicates } = await playlists.addSongs(uid, playlistId, createSongs(2, 3, 3), { duplicates: 'skip' })
    expect([added.map(({ songId }) => songId), duplicates]).toEqual([createSongIds(3), createSongs(2, 3)])
    await playlists.addSongs(uid, playlistId, createSongs(1), { duplicates: 'keep' })
    expect(await songIdsOf(uid, playlistId)).toEqual(createSongIds(1, 2, 3, 1))
  })

  it('own playlists: entries can be moved, removed, and put back in their places', async () => {
    const playlists = openPlaylists()
    const playlistId = await playlists.create(uid, { title: 'A', songs: createSongs(1, 2, 3, 4, 5) })
    const [firstEntryId, secondEntryId, thirdEntryId, fourthEntryId] = (await entriesOf(uid, playlistId)).map(({ e }) => e)
    await playlists.moveEntries(uid, playlistId, [fourthEntryId ?? '', secondEntryId ?? ''], firstEntryId)
    expect(await songIdsOf(uid, playlistId)).toEqual(createSongIds(4, 2, 1, 3, 5))
    await playlists.moveEntries(uid, playlistId, [fourthEntryId ?? ''], undefined)
    expect(await songIdsOf(uid, playlistId)).toEqual(createSongIds(2, 1, 3, 5, 4))
    const removedEntries = await playlists.removeEntries(uid, playlistId, [firstEntryId ?? '', thirdEntryId ?? ''])
    expect(await songIdsOf(uid, playlistId)).toEqual(createSongIds(2, 5, 4))
    await playlists.restoreEntries(uid, playlistId, removedEntries)
    expect(await songIdsOf(uid, playlistId)).toEqual(createSongIds(2, 1, 3, 5, 4))
  })

  it('own playlists: if several entries are moved before one of these entries, all of them are placed at its position', async () => {
    const playlists = openPlaylists()
    const playlistId = await playlists.create(uid, { title: 'A', songs: createSongs(1, 2, 3, 4) })
    const [firstEntryId, secondEntryId, thirdEntryId] = (await entriesOf(uid, playlistId)).map(({ e }) => e)
    await playlists.moveEntries(uid, playlistId, [thirdEntryId ?? '', secondEntryId ?? ''], secondEntryId)
    expect(await songIdsOf(uid, playlistId)).toEqual(createSongIds(1, 3, 2, 4))
    await playlists.moveEntries(uid, playlistId, [firstEntryId ?? ''], thirdEntryId)
    expect(await songIdsOf(uid, playlistId)).toEqual(createSongIds(1, 3, 2, 4))
  })

  it('own playlists: a playlist can be renamed, deleted and restored', async () => {
    const playlists = openPlaylists()
    const playlistId = await playlists.create(uid, { title: 'A', songs: createSongs(1) })
    await playlists.change(uid, playlistId, { title: 'B' })
    await playlists.remove(uid, playlistId)
    expect(await titlesOf(uid)).toEqual([])
    expect(await readQuery(playlists.deleted(uid))).toMatchObject([{ id: playlistId, title: 'B', deletedAtMs: expect.any(Number) }])
    await playlists.restore(uid, playlistId)
    expect(await titlesOf(uid)).toEqual(['B'])
    expect(await songIdsOf(uid, playlistId)).toEqual(createSongIds(1))
    await playlists.remove(uid, playlistId)
    nowMs += DELETED_PLAYLIST_RESTORABLE_MS + 100
    expect(await readQuery(playlists.deleted(uid))).toEqual([])
  })

  it('own playlists: merging counts the duplicates, adds the missing songs, and deletes the other playlists', async () => {
    const playlists = openPlaylists()
    const targetId = await playlists.create(uid, { title: 'A', songs: createSongs(1, 2) })
    const sourceId = await playlists.create(uid, { title: 'B', songs: createSongs(2, 3) })
    expect(await playlists.countDuplicates(uid, targetId, [sourceId, targetId])).toBe(1)
    const mergedEntries = await playlists.merge(uid, targetId, [sourceId, targetId], { duplicates: 'skip' })
    expect(mergedEntries.map(({ songId }) => songId)).toEqual(createSongIds(3))
    expect([await songIdsOf(uid, targetId), await titlesOf(uid)]).toEqual([createSongIds(1, 2, 3), ['A']])
  })

  it('own playlists: merging can keep duplicates, and can be undone', async () => {
    const playlists = openPlaylists()
    const targetId = await playlists.create(uid, { title: 'A', songs: createSongs(1, 2) })
    nowMs += 1
    const sourceId = await playlists.create(uid, { title: 'B', songs: createSongs(2, 3) })
    const mergedEntries = await playlists.merge(uid, targetId, [targetId, sourceId], { duplicates: 'keep' })
    expect(await songIdsOf(uid, targetId)).toEqual(createSongIds(1, 2, 2, 3))
    await playlists.undoMerge(uid, targetId, [targetId, sourceId], mergedEntries)
    expect([await songIdsOf(uid, targetId), await songIdsOf(uid, sourceId), await titlesOf(uid)]).toEqual([
      createSongIds(1, 2),
      createSongIds(2, 3),
      ['B', 'A'],
    ])
  })

  it('own playlists: a copy has all songs in their order, also those whose rows this device does not have', async () => {
    const playlists = openPlaylists()
    const id = await playlists.create(uid, { title: 'A', description: 'For the night', songs: createSongs(2, 1, 2, 3) })
    await database.change((tables) => tables.songs.remove(createSongIds(1)))
    const copyId = await playlists.duplicate(uid, id, 'A (copy)')
    expect(await songIdsOf(uid, copyId)).toEqual(createSongIds(2, 1, 2, 3))
    expect(await readQuery(playlists.summary(uid, copyId))).toMatchObject({ title: 'A (copy)', description: 'For the night', songCount: 4 })
  })

  it('own playlists: a change is shown before it is stored, and reverted if it cannot be stored', async () => {
    const playlistId = await openPlaylists().create(uid, { title: 'A', songs: createSongs(1) })
    let isDiskFailing = false
    const diskDatabase: LocalDatabase = {
      ...database,
      change: (work) => (isDiskFailing ? Promise.reject(new Error('Full.')) : database.change(work)),
    }
    const playlists = openPlaylists(diskDatabase)
    const [contentQuery, allPlaylistsQuery] = [playlists.content(uid, playlistId), playlists.all(uid)]
    const unsubscribe = [contentQuery.subscribe(() => {}), allPlaylistsQuery.subscribe(() => {})]
    await vi.waitFor(() => expect([contentQuery.getSnapshot(), allPlaylistsQuery.getSnapshot()]).not.toContain(undefined))
    const addedSongs = playlists.addSongs(uid, playlistId, createSongs(2), { duplicates: 'keep' })
    expect(listSongs(contentQuery.getSnapshot())).toEqual(createSongs(1, 2))
    expect(allPlaylistsQuery.getSnapshot()).toMatchObject([{ songCount: 2 }])
    await addedSongs
    expect(listSongs(contentQuery.getSnapshot())).toEqual(createSongs(1, 2))
    isDiskFailing = true
    const renamePromise = playlists.change(uid, playlistId, { title: 'B' })
    expect(contentQuery.getSnapshot()?.summary.title).toBe('B')
    await expect(renamePromise).rejects.toThrow('Full.')
    expect(contentQuery.getSnapshot()?.summary.title).toBe('A')
    for (const each of unsubscribe) each()
  })

  it('own playlists: a change that the rules do not allow is refused and not stored', async () => {
    const playlists = openPlaylists()
    await expect(playlists.create(uid, { title: ' ' })).rejects.toThrow(ownPlaylistMessages.noTitle)
    await expect(playlists.addSongs(uid, 'none', createSongs(1), { duplicates: 'keep' })).rejects.toThrow(OwnPlaylistRefusal)
    const id = await playlists.create(uid, {
      title: 'A',
      songs: Array.from({ length: ENTRIES_PER_PLAYLIST_MAX }, (_, n) => createTestSong(n)),
    })
    await expect(playlists.addSongs(uid, id, createSongs(1), { duplicates: 'keep' })).rejects.toThrow(ownPlaylistMessages.playlistFull)
    expect(await songIdsOf(uid, id)).toHaveLength(ENTRIES_PER_PLAYLIST_MAX)
  })

  it('own playlists: removed songs are not put back into a playlist that was filled again in the meantime', async () => {
    const playlists = openPlaylists()
    const id = await playlists.create(uid, {
      title: 'A',
      songs: Array.from({ length: ENTRIES_PER_PLAYLIST_MAX }, (_, n) => createTestSong(n)),
    })
    const [firstEntry] = await entriesOf(uid, id)
    const removedEntries = await playlists.removeEntries(uid, id, [firstEntry?.e ?? ''])
    const { added } = await playlists.addSongs(uid, id, createSongs(1), { duplicates: 'keep' })
    await expect(playlists.restoreEntries(uid, id, removedEntries)).rejects.toThrow(ownPlaylistMessages.playlistFull)
    expect(await songIdsOf(uid, id)).toHaveLength(ENTRIES_PER_PLAYLIST_MAX)
    const addedIds = added.map(({ e }) => e)
    await playlists.removeEntries(uid, id, addedIds)
    await playlists.restoreEntries(uid, id, removedEntries)
    await playlists.restoreEntries(uid, id, removedEntries)
    expect(await entriesOf(uid, id)).toHaveLength(ENTRIES_PER_PLAYLIST_MAX)
  })

  it('own playlists: playlists are merged, made with songs, and get songs, only if all together have room for the added songs', async () => {
    const songIds = Array.from({ length: ENTRIES_PER_PLAYLIST_MAX - 1 }, (_, n) => createTestSong(n).youtube_id)
    const fullRows = Array.from({ length: ENTRIES_PER_ACCOUNT_MAX / ENTRIES_PER_PLAYLIST_MAX }, (_, n): OwnPlaylistRow => {
      const entryRows = { entryIds: songIds.map((_id, at) => `${n}-${at}`), songIds, positions: songIds.map(() => 'V') }
      return { id: `full-${n}`, uid, title: 'A', description: '', addedAtMs: n, ...entryRows }
    })
    await database.change((tables) => tables.ownPlaylists.put(fullRows))
    const playlists = openPlaylists()
    const [targetId, sourceId] = [
      await playlists.create(uid, { title: 'B' }),
      await playlists.create(uid, { title: 'C', songs: createSongs(1, 2, 3, 4, 5, 6) }),
    ]
    await expect(playlists.merge(uid, targetId, [sourceId], { duplicates: 'keep' })).rejects.toThrow(ownPlaylistMessages.accountFull)
    await expect(playlists.create(uid, { title: 'D', songs: createSongs(1, 2, 3, 4, 5) })).rejects.toThrow(ownPlaylistMessages.accountFull)
    expect([await songIdsOf(uid, sourceId), await titlesOf(uid)]).toEqual([createSongIds(1, 2, 3, 4, 5, 6), expect.arrayContaining(['C'])])

    const addFiveSongs = () => playlists.addSongs(uid, targetId, createSongs(1, 2, 3, 4, 5), { duplicates: 'keep' })
    await expect(addFiveSongs()).rejects.toThrow(ownPlaylistMessages.accountFull)
    const allPlaylistsQuery = playlists.all(uid)
    const unsubscribe = allPlaylistsQuery.subscribe(() => {})
    await vi.waitFor(() => expect(allPlaylistsQuery.getSnapshot()).toBeDefined())
    await expect(addFiveSongs()).rejects.toThrow(ownPlaylistMessages.accountFull)
    const [firstEntry] = await entriesOf(uid, sourceId)
    const removedEntries = await playlists.removeEntries(uid, sourceId, [firstEntry?.e ?? ''])
    await addFiveSongs()
    unsubscribe()
    await expect(playlists.restoreEntries(uid, sourceId, removedEntries)).rejects.toThrow(ownPlaylistMessages.accountFull)
    expect([await songIdsOf(uid, sourceId), await songIdsOf(uid, targetId)]).toEqual([
      createSongIds(2, 3, 4, 5, 6),
      createSongIds(1, 2, 3, 4, 5),
    ])
  })

  it('own playlists: the songs of a deleted playlist count until it can no longer be restored', async () => {
    const songIds = Array.from({ length: ENTRIES_PER_PLAYLIST_MAX }, (_, n) => createTestSong(n).youtube_id)
    const entryRows = { entryIds: songIds.map((_id, at) => `${at}`), songIds, positions: songIds.map(() => 'V') }
    const deletedRows = Array.from({ length: ENTRIES_PER_ACCOUNT_MAX / ENTRIES_PER_PLAYLIST_MAX }, (_, n): OwnPlaylistRow => {
      return { id: `deleted-${n}`, uid, title: 'A', description: '', addedAtMs: nowMs, deletedAtMs: nowMs, ...entryRows }
    })
    await database.change((tables) => tables.ownPlaylists.put(deletedRows))
    const playlists = openPlaylists()
    const createPlaylist = () => playlists.create(uid, { title: 'B', songs: createSongs(1) })
    nowMs += DELETED_PLAYLIST_RESTORABLE_MS
    await expect(createPlaylist()).rejects.toThrow(ownPlaylistMessages.accountFull)
    nowMs += 1
    expect(await songIdsOf(uid, await createPlaylist())).toEqual(createSongIds(1))
  })

  it('own playlists: once the maximum number of playlists is reached, none can be created, restored, or brought back by undoing a merge', async () => {
    const playlistRows = Array.from({ length: OWN_PLAYLISTS_MAX - 3 }, (_, n): OwnPlaylistRow => {
      return { id: `full-${n}`, uid, title: 'A', description: '', addedAtMs: n, entryIds: [], songIds: [], positions: [] }
    })
    await database.change((tables) => tables.ownPlaylists.put(playlistRows))
    const playlists = openPlaylists()
    const createPlaylist = () => playlists.create(uid, { title: 'B' })
    const [targetId, mergedId, deletedId] = [await createPlaylist(), await createPlaylist(), await createPlaylist()]
    await expect(createPlaylist()).rejects.toThrow(ownPlaylistMessages.tooManyPlaylists)
    await playlists.remove(uid, deletedId)
    await playlists.restore(uid, deletedId)
    await playlists.remove(uid, deletedId)
    const mergedEntries = await playlists.merge(uid, targetId, [mergedId], { duplicates: 'skip' })
    const newPlaylistIds = [await createPlaylist(), await createPlaylist()]
    await expect(playlists.restore(uid, deletedId)).rejects.toThrow(ownPlaylistMessages.tooManyPlaylists)
    await expect(playlists.undoMerge(uid, targetId, [mergedId], mergedEntries)).rejects.toThrow(ownPlaylistMessages.tooManyPlaylists)
    for (const id of newPlaylistIds) await playlists.remove(uid, id)
    await playlists.undoMerge(uid, targetId, [mergedId], mergedEntries)
    expect(await titlesOf(uid)).toHaveLength(OWN_PLAYLISTS_MAX - 1)
  })
})

describe('own playlists: changes', () => {
  it('own playlists: each change is dated after all known changes, and has at most the number of entries that one change may have', async () => {
    const songCount = 2 * ENTRIES_PER_CHANGE_MAX + 1
    const playlistId = await openPlaylists().create('ann', {
      title: 'A',
      songs: Array.from({ length: songCount }, (_, n) => createTestSong(n)),
    })
    nowMs -= DELETED_PLAYLIST_RESTORABLE_MS
    await openPlaylists().change('ann', playlistId, { title: 'B' })
    const changeBodies = (await readChanges()).map(({ body }) => body).sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    expect(changeBodies.map(({ title, entries }) => [title, entries?.length])).toEqual([
      ['A', ENTRIES_PER_CHANGE_MAX],
      [undefined, ENTRIES_PER_CHANGE_MAX],
      [undefined, 1],
      ['B', undefined],
    ])
    expect(new Set(changeBodies.map(({ at }) => at)).size).toBe(4)
  })

  it('own playlists: two tabs that move entries to one place keep both moves', async () => {
    const [firstTab, otherTab] = [openPlaylists(), openPlaylists()]
    const playlistId = await firstTab.create('ann', { title: 'A', songs: createSongs(1, 2, 3, 4) })
    const [firstEntryId, , thirdEntryId, fourthEntryId] = (await entriesOf('ann', playlistId)).map(({ e }) => e)
    await Promise.all([
      firstTab.moveEntries('ann', playlistId, [thirdEntryId ?? ''], firstEntryId),
      otherTab.moveEntries('ann', playlistId, [fourthEntryId ?? ''], firstEntryId),
    ])
    expect(await songIdsOf('ann', playlistId)).toEqual(createSongIds(3, 4, 1, 2))
  })

  it('own playlists: while all playlists are shown, adding a song does not read them again', async () => {
    let readCount = 0
    const countingDatabase: LocalDatabase = {
      ...database,
      change: (work) =>
        database.change((tables) =>
          work({
            ...tables,
            ownPlaylists: {
              ...tables.ownPlaylists,
              all() {
                readCount += 1
                return tables.ownPlaylists.all()
              },
            },
          }),
        ),
    }
    const playlists = openPlaylists(countingDatabase)
    const playlistId = await playlists.create('ann', { title: 'A' })
    const allPlaylistsQuery = playlists.all('ann')
    const unsubscribe = allPlaylistsQuery.subscribe(() => {})
    await vi.waitFor(() => expect(allPlaylistsQuery.getSnapshot()).toHaveLength(1))
    readCount = 0
    await playlists.addSongs('ann', playlistId, createSongs(1), { duplicates: 'skip' })
    unsubscribe()
    expect(readCount).toBe(0)
    await playlists.addSongs('ann', playlistId, createSongs(2), { duplicates: 'skip' })
    expect([readCount, await songIdsOf('ann', playlistId)]).toEqual([1, createSongIds(1, 2)])
  })

  it('own playlists: an account does not have the playlists of another account', async () => {
    await openPlaylists().create('ann', { title: 'A' })
    expect(await titlesOf('bob')).toEqual([])
  })
})

it('own playlists: signing out removes the playlists of the account; unsent changes stay until the next login', async () => {
  const playlists = openPlaylists()
  await playlists.create('ann', { title: 'Unsent' })
  await playlists.create(ANONYMOUS_UID, { title: 'Device' })
  await database.change(async (tables) => {
    const row = { id: 'l', uid: 'ann', title: 'Sent', description: '', addedAtMs: 0, entryIds: [], songIds: [], positions: [] }
    await tables.ownPlaylists.put([row])
    await tables.ownPlaylistCursors.put([{ uid: 'ann', cursor: 'e.1' }])
  })
  await forgetAccount(database, 'ann')
  expect(await database.read((tables) => tables.ownPlaylistCursors.keys())).toEqual([ANONYMOUS_UID])
  expect((await database.read((tables) => tables.ownPlaylists.all())).map(({ title }) => title)).toEqual(['Device'])
  expect(await readChanges()).toHaveLength(1)
})

it('own playlists: eviction never removes the songs of own playlists', async () => {
  await database.change((tables) => tables.songs.put(createSongs(8, 9)))
  await openPlaylists().create('ann', { title: 'A', songs: createSongs(1) })
  await openPlaylists().create(ANONYMOUS_UID, { title: 'B', songs: createSongs(2) })
  await clearCache(database, { keys: [], songIds: [] })
  expect(await database.read((tables) => tables.songs.keys())).toEqual(createSongIds(1, 2))
})
