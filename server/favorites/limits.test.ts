import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database as SqliteHandle } from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FavoriteChange } from '../../contract/favorite.ts'
import { FAVORITES_FULL_MESSAGE, FAVORITES_MAX } from '../../contract/favorite-limits.ts'
import { DAY_MS } from '../durations.ts'
import type { Storage } from '../storage/open.ts'
import { openStorage } from '../storage/open.ts'
import { SqliteFile } from '../storage/sqlite-driver.ts'
import { createSongRows, formatSongId, listFavorites, songReadOptions } from '../storage/testing/fixture.ts'

// Tests lists of maximum length, which are inserted by SQL, and two processes with one database.

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')

let dataDir: string
const openedStorages: Storage[] = []
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'varispeed-favorites-'))
})
afterEach(async () => {
  for (const storage of openedStorages.splice(0)) await storage.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function openSecondStorage(): Promise<Storage> {
  const storage = await openStorage({ dataDir })
  openedStorages.push(storage)
  if (openedStorages.length > 1) return storage
  const songsFile = join(dataDir, 'songs.json')
  await writeFile(songsFile, JSON.stringify({ songs: createSongRows(3) }))
  await storage.catalogue.importFile(songsFile)
  return storage
}
function workInDatabase<T>(queryDatabase: (database: SqliteHandle) => T): T {
  const database = new SqliteFile(join(dataDir, 'varispeed.sqlite'))
  try {
    return queryDatabase(database)
  } finally {
    database.close()
  }
}
const createFavoriteChange = (songNumber: number, isFavorite = true, atMs = NOW_MS): FavoriteChange => ({
  id: randomUUID(),
  s: formatSongId(songNumber),
  favorite: isFavorite,
  at: new Date(atMs).toISOString(),
  device: '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c',
})

test('a list has at most 50,000 favorites: a further one is refused with a message, and accepted after another is removed', async () => {
  const storage = await openSecondStorage()
  const { favorites } = storage
  await favorites.sync('ann', {}, NOW_MS, songReadOptions)
  workInDatabase((database) =>
    database.exec(`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${FAVORITES_MAX - 1})
      insert into favorites select 'ann', 'old-' || i, 1, ${NOW_MS - DAY_MS} - i, '', 0, i from n;
      insert into favorites select 'ann', 'gone-' || version, 0, changed_at, '', 0, version + ${FAVORITES_MAX} from favorites limit 9;
      update favorite_lists set version = ${2 * FAVORITES_MAX} where uid = 'ann'`),
  )
  const singleChange = createFavoriteChange(2)
  const { refused } = await favorites.sync(
    'ann',
    { changes: [createFavoriteChange(1), singleChange, createFavoriteChange(3, false), createFavoriteChange(1)] },
    NOW_MS,
    songReadOptions,
  )
  expect(refused).toEqual([{ id: singleChange.id, message: FAVORITES_FULL_MESSAGE }])
  expect(FAVORITES_FULL_MESSAGE).toContain(FAVORITES_MAX.toLocaleString('en'))
  expect(await favorites.set('ann', formatSongId(2), true, NOW_MS)).toBe('full')
  expect(await favorites.set('ann', formatSongId(1), true, NOW_MS), 'already a favorite').toBe('set')
  expect(
    (await favorites.sync('ann', { changes: [createFavoriteChange(1, false, NOW_MS + 5), singleChange] }, NOW_MS + 5, songReadOptions))
      .refused,
  ).toEqual([])
  expect(await favorites.has('ann', formatSongId(2))).toBe(true)
  expect(await favorites.exportPage('ann', { limit: 2 * FAVORITES_MAX, offset: 0 })).toHaveLength(FAVORITES_MAX)
  expect((await listFavorites(storage, 'ann', { limit: 9, offset: 0 })).map(({ youtube_id }) => youtube_id)).toEqual([formatSongId(2)])
  // Random draws almost never select a favorite whose song is in the catalogue, so the test covers the fallback, which loads all playable
  // favorites.
  expect((await favorites.pickRandom('ann', undefined))?.youtube_id).toBe(formatSongId(2))
})

test('ids of applied changes are deleted after 400 days, and not earlier', async () => {
  const { favorites, deleteExpired } = await openSecondStorage()
  const [oldChange, newerChange] = [createFavoriteChange(1), createFavoriteChange(2)]
  await favorites.sync('ann', { changes: [oldChange] }, NOW_MS, songReadOptions)
  await favorites.sync('ann', { changes: [newerChange] }, NOW_MS + DAY_MS, songReadOptions)
  await deleteExpired(NOW_MS + 400.5 * DAY_MS)
  expect(workInDatabase((database) => database.prepare("select id from applied_changes where owner = 'ann'").pluck().all())).toEqual([
    newerChange.id,
  ])
})

test('concurrent changes of two processes to one list are all applied', async () => {
  const secondStorages = [await openSecondStorage(), await openSecondStorage()]
  const manyChanges = Array.from({ length: 120 }, (_, i) => createFavoriteChange((i % 3) + 1, i % 2 === 0, NOW_MS + i))
  await Promise.all(
    manyChanges.map((each, i) => secondStorages[i % 2]?.favorites.sync('ann', { changes: [each] }, NOW_MS + 1000, songReadOptions)),
  )
  const [firstResult, secondResult] = await Promise.all(
    secondStorages.map((each) => each.favorites.sync('ann', {}, NOW_MS + 1000, songReadOptions)),
  )
  expect(firstResult).toEqual(secondResult)
  const favoriteRows = workInDatabase((database) =>
    database.prepare('select song_id, favorite, version from favorites order by song_id').all(),
  )
  // The last changes of the three songs are those with the indexes 117, 118 and 119.
  expect(favoriteRows).toMatchObject([{ favorite: 0 }, { favorite: 1 }, { favorite: 0 }])
  expect(workInDatabase((database) => database.prepare('select count(*) from applied_changes').pluck().get())).toBe(120)
  expect(new Set(favoriteRows.map((row) => (row as { version: number }).version)).size).toBe(3)
})
