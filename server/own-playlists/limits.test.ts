import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database as SqliteHandle } from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OwnPlaylistChange } from '../../contract/own-playlist.ts'
import {
  DELETED_PLAYLIST_RESTORABLE_MS,
  ENTRIES_PER_ACCOUNT_MAX,
  ENTRIES_PER_CHANGE_MAX,
  ENTRIES_PER_PLAYLIST_MAX,
  OWN_PLAYLISTS_MAX,
  ownPlaylistMessages,
} from '../../contract/own-playlist-rules.ts'
import { DAY_MS } from '../durations.ts'
import type { Storage } from '../storage/open.ts'
import { openStorage } from '../storage/open.ts'
import { SqliteFile } from '../storage/sqlite-driver.ts'
import { createSongRows, songReadOptions } from '../storage/testing/fixture.ts'
import { DELETED_PLAYLISTS_MAX, REMOVED_ENTRIES_MAX } from './store-changes.ts'
import { createEntryAddition, createEntryId, createPlaylistChange, createPlaylistId, formatIsoTime, NOW_MS } from './testing/changes.ts'

// Tests the largest numbers of rows, which are inserted by SQL.

let dataDir: string
let storage: Storage
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'varispeed-own-playlists-'))
  storage = await openStorage({ dataDir })
  const file = join(dataDir, 'songs.json')
  await writeFile(file, JSON.stringify({ songs: createSongRows(3) }))
  await storage.catalogue.importFile(file)
})
afterEach(async () => {
  await storage.close()
  await rm(dataDir, { recursive: true, force: true })
})

function workInDatabase<T>(queryDatabase: (database: SqliteHandle) => T): T {
  const database = new SqliteFile(join(dataDir, 'varispeed.sqlite'))
  try {
    return queryDatabase(database)
  } finally {
    database.close()
  }
}
const syncPlaylists = (changes: OwnPlaylistChange[], nowMs = NOW_MS, since?: string) =>
  storage.ownPlaylists.sync('ann', { changes, ...(since !== undefined && { since }) }, nowMs, songReadOptions)
const readRefusals = async (...changes: OwnPlaylistChange[]) => (await syncPlaylists(changes)).refused.map(({ message }) => message)

/** Inserts playlists with successive numbers from `firstNumber` on. */
const insertPlaylists = (playlistCount: number, firstNumber: number, deletedAtMs?: number) =>
  workInDatabase((database) =>
    database.exec(`
      with recursive n(i) as (select ${firstNumber} union all select i + 1 from n where i < ${firstNumber + playlistCount - 1})
      insert into own_playlists select 'ann', '11111111-0000-4000-8000-' || printf('%012d', i), 'Old ' || i, '', '', '',
        ${deletedAtMs === undefined ? 0 : 1}, '', ${deletedAtMs ?? 'null'}, ${NOW_MS - DAY_MS} + i, null, 0, '', i from n`),
  )
/** Inserts entries of a playlist. */
const insertEntries = (listNumber: number, entryCount: number, removedFlag = 0) =>
  workInDatabase((database) =>
    database.exec(`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${entryCount})
      insert into own_playlist_entries select 'ann', '${createPlaylistId(listNumber)}', 'old-${removedFlag}-' || i, 'song_000001', 'a', '', ${removedFlag}, '', 0, i from n`),
  )
const countRows = (table: string) => workInDatabase((database) => database.prepare(`select count(*) from ${table}`).pluck().get())
const formatCount = (count: number) => count.toLocaleString('en')

test('an account has at most 500 playlists: one more is refused, also a restored one, until another is deleted', async () => {
  insertPlaylists(OWN_PLAYLISTS_MAX - 1, 100)
  await syncPlaylists([
    createPlaylistChange({ l: createPlaylistId(1), title: 'Deleted' }),
    createPlaylistChange({ l: createPlaylistId(1), at: formatIsoTime(NOW_MS + 1), deleted: true }),
  ])
  const fullMessage = ownPlaylistMessages.tooManyPlaylists
  expect(fullMessage).toContain(formatCount(OWN_PLAYLISTS_MAX))
  const restoringChange = createPlaylistChange({ l: createPlaylistId(1), at: formatIsoTime(NOW_MS + 2), deleted: false })
  expect(
    await readRefusals(
      createPlaylistChange({ l: createPlaylistId(2), title: 'Last' }),
      createPlaylistChange({ l: createPlaylistId(3), title: 'More' }),
      restoringChange,
    ),
  ).toEqual([fullMessage, fullMessage])
  expect(
    await readRefusals(createPlaylistChange({ l: createPlaylistId(2), at: formatIsoTime(NOW_MS + 3), deleted: true }), restoringChange),
  ).toEqual([])
})

test('a playlist has at most 10,000 songs: a change that would exceed this is refused as a whole', async () => {
  await syncPlaylists([createPlaylistChange({ title: 'Long' })])
  insertEntries(1, ENTRIES_PER_PLAYLIST_MAX - 2)
  const fullMessage = ownPlaylistMessages.playlistFull
  expect(fullMessage).toContain(formatCount(ENTRIES_PER_PLAYLIST_MAX))
  expect(
    await readRefusals(
      createPlaylistChange({ entries: [1, 2, 3].map((n) => createEntryAddition(n)) }),
      createPlaylistChange({ entries: [createEntryAddition(1), createEntryAddition(2)] }),
    ),
  ).toEqual([fullMessage])
  const swapChange = createPlaylistChange({
    at: formatIsoTime(NOW_MS + 1),
    entries: [{ e: createEntryId(1), removed: true }, createEntryAddition(3)],
  })
  const otherChange = createPlaylistChange({ l: createPlaylistId(2), title: 'Other', entries: [createEntryAddition(1)] })
  expect(
    await readRefusals(swapChange, otherChange, createPlaylistChange({ entries: [createEntryAddition(4, { s: 'song_000001' })] })),
  ).toEqual([fullMessage])
})

test('the playlists of an account have at most 100,000 songs together; the songs of a deleted playlist count for 30 days', {
  tags: ['long'],
}, async () => {
  await syncPlaylists(Array.from({ length: 11 }, (_, n) => createPlaylistChange({ l: createPlaylistId(n + 1), title: `List ${n}` })))
  for (let list = 1; list <= 10; list++) insertEntries(list, ENTRIES_PER_ACCOUNT_MAX / 10)
  const fullMessage = ownPlaylistMessages.accountFull
  expect(fullMessage).toContain(formatCount(ENTRIES_PER_ACCOUNT_MAX))
  const createAddition = () => createPlaylistChange({ l: createPlaylistId(11), entries: [createEntryAddition(1)] })
  expect(await readRefusals(createAddition())).toEqual([fullMessage])
  await syncPlaylists([createPlaylistChange({ at: formatIsoTime(NOW_MS + 1), deleted: true })])
  expect(await readRefusals(createAddition())).toEqual([fullMessage])
  await storage.deleteExpired(NOW_MS + DELETED_PLAYLIST_RESTORABLE_MS + 1)
  expect(await readRefusals(createAddition())).toEqual([])
})

test('an account has at most 50,000 removed entries: beyond that, the older half is deleted, and devices ask for all rows again', async () => {
  const { cursor } = await syncPlaylists([
    createPlaylistChange({ title: 'Long', entries: [createEntryAddition(1), createEntryAddition(2)] }),
  ])
  insertEntries(1, REMOVED_ENTRIES_MAX, 1)
  workInDatabase((database) => database.exec(`update own_playlist_positions set version = ${REMOVED_ENTRIES_MAX}`))
  const removalChange = createPlaylistChange({ at: formatIsoTime(NOW_MS + 1), entries: [{ e: createEntryId(1), removed: true }] })
  const answer = await syncPlaylists([removalChange], NOW_MS + 1, cursor)
  expect(answer).toMatchObject({ whole: true, more: false, entries: [{ e: createEntryId(2) }] })
  expect(countRows('own_playlist_entries')).toBe(1 + REMOVED_ENTRIES_MAX / 2)
})

test('an account has at most 5,000 deleted playlists, ten times as many as it may have: beyond that, the older half is deleted with its songs', async () => {
  const { cursor } = await syncPlaylists([
    createPlaylistChange({ title: 'Kept', entries: [createEntryAddition(1)] }),
    createPlaylistChange({ l: createPlaylistId(2), title: 'Last' }),
  ])
  insertPlaylists(DELETED_PLAYLISTS_MAX, 100, NOW_MS)
  insertEntries(100, 5)
  workInDatabase((database) => database.exec(`update own_playlist_positions set version = ${2 * DELETED_PLAYLISTS_MAX}`))
  const syncAnswer = await syncPlaylists(
    [createPlaylistChange({ l: createPlaylistId(2), at: formatIsoTime(NOW_MS + 1), deleted: true })],
    NOW_MS + 1,
    cursor,
  )
  expect(syncAnswer).toMatchObject({ whole: true, entries: [{ e: createEntryId(1) }] })
  expect(syncAnswer.playlists).toHaveLength(1 + DELETED_PLAYLISTS_MAX / 2)
  expect([countRows('own_playlists'), countRows('own_playlist_entries')]).toEqual([1 + DELETED_PLAYLISTS_MAX / 2, 1])
})

test('the longest change is stored, and its 500 entries are read in one answer', async () => {
  const entryChanges = Array.from({ length: ENTRIES_PER_CHANGE_MAX }, (_, n) => createEntryAddition(n + 1, { s: 'song_000001' }))
  const { refused, entries: storedEntries } = await syncPlaylists([
    createPlaylistChange({ title: 'x'.repeat(100), description: 'y'.repeat(2000), entries: entryChanges }),
  ])
  expect([refused, storedEntries.length]).toEqual([[], ENTRIES_PER_CHANGE_MAX])
})
