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
import { songId, songReadOptions, songRows } from './testing/fixture.ts'

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
  await writeFile(file, JSON.stringify({ songs: songRows(SONG_COUNT) }))
  await storage.catalogue.importFile(file)
})
afterEach(async () => {
  await storage.close()
  await rm(dataDir, { recursive: true, force: true })
})

function inDatabase<T>(work: (database: SqliteHandle) => T): T {
  const database = new SqliteFile(join(dataDir, 'varispeed.sqlite'))
  try {
    return work(database)
  } finally {
    database.close()
  }
}
const countRows = (table: string) => inDatabase((database) => database.prepare(`select count(*) from ${table}`).pluck().get())
const songOf = (call: number) => songId((call % SONG_COUNT) + 1)
const callMany = (count: number, call: (n: number) => Promise<unknown>) => Promise.all(Array.from({ length: count }, (_, n) => call(n)))
const removalOf = (s: string) => ({
  id: randomUUID(),
  s,
  favorite: false,
  at: new Date(NOW_MS).toISOString(),
  device: '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c',
})

test('10,000 plays of one client leave a bounded number of rows, which are deleted after the day; the ids of plays are stored for a week', {
  tags: ['long'],
}, async () => {
  await callMany(CALL_COUNT, (n) =>
    storage.songs.countPlay({
      songId: songOf(n),
      contextId: undefined,
      clientId: 'one',
      atMs: n % 2 === 0 ? NOW_MS : NOW_MS - (n % 300) * 3_600_000,
      nowMs: NOW_MS,
      changeId: `id ${n}`,
      durationS: 100,
    }),
  )
  const countedMax = CLIENT_PLAYS_MAX_PER_HOUR + CLIENT_LATE_PLAYS_MAX_PER_DAY
  expect(countRows('play_marks')).toBe(countedMax)
  expect(countRows('applied_changes')).toBe(countedMax)
  expect(countRows('duration_reports')).toBeLessThanOrEqual(countedMax)
  await storage.deleteExpired(NOW_MS + 6.9 * DAY_MS)
  expect([countRows('play_marks'), countRows('duration_reports'), countRows('applied_changes')]).toEqual([0, 0, countedMax])
  await storage.deleteExpired(NOW_MS + 7.1 * DAY_MS)
  expect(countRows('applied_changes')).toBe(0)
})

test('10,000 reports of one client leave a bounded number of rows, which are deleted after a month', { tags: ['long'] }, async () => {
  await callMany(CALL_COUNT, (n) =>
    storage.songs.reportUnplayable({ songId: songOf(n), reason: 'video error 150', clientId: 'one', atMs: NOW_MS }),
  )
  expect(countRows('unplayable_reports')).toBe(CLIENT_REPORTS_MAX_PER_DAY)
  await storage.deleteExpired(NOW_MS + 32 * DAY_MS)
  expect(countRows('unplayable_reports')).toBe(0)
})

test('10,000 synced changes of one account leave a bounded number of rows; removals of unknown songs leave none', {
  tags: ['long'],
}, async () => {
  for (let call = 0; call < 4; call++)
    await storage.favorites.sync(
      'ann',
      { changes: Array.from({ length: 500 }, (_, n) => removalOf(`gone_${call}${500 + n}_x`)) },
      NOW_MS,
      songReadOptions,
    )
  await storage.favorites.set('ann', 'gone_000000', false, NOW_MS)
  expect([countRows('favorites'), countRows('applied_changes')]).toEqual([0, 0])
  for (let call = 0; call < CALL_COUNT / 500; call++)
    await storage.favorites.sync(
      'ann',
      { changes: Array.from({ length: 500 }, (_, n) => removalOf(songOf(n))) },
      NOW_MS + call,
      songReadOptions,
    )
  expect([countRows('favorites'), countRows('applied_changes')]).toEqual([SONG_COUNT, ACCOUNT_CHANGES_MAX])
})

test('a list has at most 50,000 removals: beyond that, the older half is deleted, and devices load the whole list again', async () => {
  await storage.favorites.set('ann', songId(1), true, NOW_MS)
  const { cursor } = await storage.favorites.sync('ann', {}, NOW_MS, songReadOptions)
  inDatabase((database) =>
    database.exec(`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${REMOVED_FAVORITES_MAX})
      insert into favorites select 'ann', 'gone-' || i, 0, ${NOW_MS - DAY_MS} + i, '', 0, i + 1 from n;
      update favorite_lists set version = ${REMOVED_FAVORITES_MAX + 1} where uid = 'ann'`),
  )
  const answer = await storage.favorites.sync('ann', { since: cursor, changes: [removalOf(songId(2))] }, NOW_MS + 1, songReadOptions)
  expect(answer).toMatchObject({ whole: true, more: false, refused: [] })
  expect(answer.favorites.filter(({ favorite }) => favorite).map(({ s }) => s)).toEqual([songId(1)])
  expect(countRows('favorites')).toBe(1 + REMOVED_FAVORITES_MAX / 2)
  const next = await storage.favorites.sync('ann', { since: answer.cursor, changes: [removalOf(songId(3))] }, NOW_MS + 2, songReadOptions)
  expect(next).toMatchObject({ whole: false, more: false, favorites: [{ s: songId(3), favorite: false }] })
})

test('the number of messages in a day is limited; visitors without an account do not use up the limit of accounts', async () => {
  const add = (n: number, uid?: string) =>
    storage.contacts.add({ topic: 'other', message: `${n}`, brandId: 'x', atMs: NOW_MS, ...(uid === undefined ? {} : { uid }) })
  await callMany(CONTACTS_PER_DAY, (n) => add(n))
  expect(await add(0)).toBe(false)
  expect(await add(0, 'ann')).toBe(true)
  expect(countRows('contacts')).toBe(CONTACTS_PER_DAY + 1)
  expect(await storage.contacts.add({ topic: 'other', message: 'x', brandId: 'x', atMs: NOW_MS + DAY_MS })).toBe(true)
})
