import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database as SqliteHandle } from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CLIENT_LATE_PLAYS_MAX_PER_DAY, CLIENT_PLAYS_MAX_PER_HOUR } from '../catalogue/store-plays.ts'
import { CLIENT_REPORTS_MAX_PER_DAY } from '../catalogue/store-unplayable.ts'
import { CONTACTS_PER_DAY } from '../contact/store.ts'
import { DAY_MS } from '../durations.ts'
import { REMOVED_FAVORITES_MAX } from '../favorites/store-list.ts'
import { ACCOUNT_CHANGES_MAX } from './applied-changes.ts'
import type { Storage } from './open.ts'
import { openStorage } from './open.ts'
import { SqliteFile } from './sqlite-driver.ts'
import { createSongRows, formatSongId, songReadOptions } from './testing/fixture.ts'

// Tests that there is a limit to the number of rows that one client or account can leave in the database.

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const CALL_COUNT = 10_000
const SONG_COUNT = 400

let dataDir: string
let storage: Storage
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'varispeed-bounds-'))
  storage = await openStorage({ dataDir })
  const file = join(dataDir, 'songs.json')
  await writeFile(file, JSON.stringify({ songs: createSongRows(SONG_COUNT) }))
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
const countRows = (table: string) => workInDatabase((database) => database.prepare(`select count(*) from ${table}`).pluck().get())
const createSongId = (call: number) => formatSongId((call % SONG_COUNT) + 1)
const callMany = (count: number, call: (n: number) => Promise<unknown>) => Promise.all(Array.from({ length: count }, (_, n) => call(n)))
const createRemoval = (songId: string) => ({
  id: randomUUID(),
  s: songId,
  favorite: false,
  at: new Date(NOW_MS).toISOString(),
  device: '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c',
})

test('10,000 plays of one client leave a bounded number of rows, which are deleted after the day; the ids of plays are stored for a week', {
  tags: ['long'],
}, async () => {
  await callMany(CALL_COUNT, (callNumber) =>
    storage.songs.countPlay({
      songId: createSongId(callNumber),
      contextId: undefined,
      clientId: 'one',
      atMs: callNumber % 2 === 0 ? NOW_MS : NOW_MS - (callNumber % 300) * 3_600_000,
      nowMs: NOW_MS,
      changeId: `id ${callNumber}`,
      durationS: 100,
    }),
  )
  const countedPlaysMax = CLIENT_PLAYS_MAX_PER_HOUR + CLIENT_LATE_PLAYS_MAX_PER_DAY
  expect(countRows('play_marks')).toBe(countedPlaysMax)
  expect(countRows('applied_changes')).toBe(countedPlaysMax)
  expect(countRows('duration_reports')).toBeLessThanOrEqual(countedPlaysMax)
  await storage.deleteExpired(NOW_MS + 6.9 * DAY_MS)
  expect([countRows('play_marks'), countRows('duration_reports'), countRows('applied_changes')]).toEqual([0, 0, countedPlaysMax])
  await storage.deleteExpired(NOW_MS + 7.1 * DAY_MS)
  expect(countRows('applied_changes')).toBe(0)
})

test('10,000 reports of one client leave a bounded number of rows, which are deleted after a month', { tags: ['long'] }, async () => {
  await callMany(CALL_COUNT, (n) =>
    storage.songs.reportUnplayable({ songId: createSongId(n), reason: 'video error 150', clientId: 'one', atMs: NOW_MS }),
  )
  expect(countRows('unplayable_reports')).toBe(CLIENT_REPORTS_MAX_PER_DAY)
  await storage.deleteExpired(NOW_MS + 32 * DAY_MS)
  expect(countRows('unplayable_reports')).toBe(0)
})

test('10,000 synced changes of one account leave a bounded number of rows; removals of unknown songs leave none', {
  tags: ['long'],
}, async () => {
  for (let callIndex = 0; callIndex < 4; callIndex++)
    await storage.favorites.sync(
      'ann',
      { changes: Array.from({ length: 500 }, (_, n) => createRemoval(`gone_${callIndex}${500 + n}_x`)) },
      NOW_MS,
      songReadOptions,
    )
  await storage.favorites.set('ann', 'gone_000000', false, NOW_MS)
  expect([countRows('favorites'), countRows('applied_changes')]).toEqual([0, 0])
  for (let callIndex = 0; callIndex < CALL_COUNT / 500; callIndex++)
    await storage.favorites.sync(
      'ann',
      { changes: Array.from({ length: 500 }, (_, n) => createRemoval(createSongId(n))) },
      NOW_MS + callIndex,
      songReadOptions,
    )
  expect([countRows('favorites'), countRows('applied_changes')]).toEqual([SONG_COUNT, ACCOUNT_CHANGES_MAX])
})

test('a list has at most 50,000 removals: beyond that, the older half is deleted, and devices load the whole list again', async () => {
  await storage.favorites.set('ann', formatSongId(1), true, NOW_MS)
  const { cursor } = await storage.favorites.sync('ann', {}, NOW_MS, songReadOptions)
  workInDatabase((database) =>
    database.exec(`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${REMOVED_FAVORITES_MAX})
      insert into favorites select 'ann', 'gone-' || i, 0, ${NOW_MS - DAY_MS} + i, '', 0, i + 1 from n;
      update favorite_lists set version = ${REMOVED_FAVORITES_MAX + 1} where uid = 'ann'`),
  )
  const syncAnswer = await storage.favorites.sync(
    'ann',
    { since: cursor, changes: [createRemoval(formatSongId(2))] },
    NOW_MS + 1,
    songReadOptions,
  )
  expect(syncAnswer).toMatchObject({ whole: true, more: false, refused: [] })
  expect(syncAnswer.favorites.filter(({ favorite }) => favorite).map(({ s }) => s)).toEqual([formatSongId(1)])
  expect(countRows('favorites')).toBe(1 + REMOVED_FAVORITES_MAX / 2)
  const nextAnswer = await storage.favorites.sync(
    'ann',
    { since: syncAnswer.cursor, changes: [createRemoval(formatSongId(3))] },
    NOW_MS + 2,
    songReadOptions,
  )
  expect(nextAnswer).toMatchObject({ whole: false, more: false, favorites: [{ s: formatSongId(3), favorite: false }] })
})

test('the number of messages in a day is limited; visitors without an account do not use up the limit of accounts', async () => {
  const addRow = (n: number, uid?: string) =>
    storage.contacts.add({ topic: 'other', message: `${n}`, brandId: 'x', atMs: NOW_MS, ...(uid === undefined ? {} : { uid }) })
  await callMany(CONTACTS_PER_DAY, (n) => addRow(n))
  expect(await addRow(0)).toBe(false)
  expect(await addRow(0, 'ann')).toBe(true)
  expect(countRows('contacts')).toBe(CONTACTS_PER_DAY + 1)
  expect(await storage.contacts.add({ topic: 'other', message: 'x', brandId: 'x', atMs: NOW_MS + DAY_MS })).toBe(true)
})
