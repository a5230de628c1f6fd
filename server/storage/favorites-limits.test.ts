import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FavoriteChange } from '../../contract/favorite.ts'
import { FAVORITES_FULL, FAVORITES_MAX } from '../../contract/favorite-limits.ts'
import { openStorage } from './open.ts'
import type { Storage } from './storage.ts'
import { songId, songs, view } from './testing/fixture.ts'

// Favorites as many as there may be, put into the database by hand, and two programs over one database.

const NOW = Date.parse('2026-03-01T12:00:00Z')
const DAY = 24 * 3_600_000

let dataDir: string
const opened: Storage[] = []
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'varispeed-favorites-'))
})
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function open(): Promise<Storage> {
  const storage = await openStorage({ dataDir })
  opened.push(storage)
  if (opened.length > 1) return storage
  const file = join(dataDir, 'songs.json')
  await writeFile(file, JSON.stringify({ songs: songs(3) }))
  await storage.catalogue.importFile(file)
  return storage
}
function inDatabase<T>(work: (database: SqliteFile.Database) => T): T {
  const database = new SqliteFile(join(dataDir, 'varispeed.sqlite'))
  try {
    return work(database)
  } finally {
    database.close()
  }
}
const tap = (n: number, favorite = true, atMs = NOW): FavoriteChange => ({
  ...{ id: randomUUID(), s: songId(n), favorite, at: new Date(atMs).toISOString(), device: '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c' },
})

test('there is room for 50,000 favorites: one more is refused with a sentence, and comes in once another is out', async () => {
  const { favorites } = await open()
  await favorites.sync('ann', {}, NOW, view)
  inDatabase((database) =>
    database.exec(`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${FAVORITES_MAX - 1})
      insert into favorites select 'ann', 'old-' || i, 1, ${NOW - DAY} - i, '', 0, i from n;
      insert into favorites select 'ann', 'gone-' || version, 0, changed_at, '', 0, version + ${FAVORITES_MAX} from favorites limit 9;
      update favorite_lists set version = ${2 * FAVORITES_MAX} where uid = 'ann'`),
  )
  const one = tap(2)
  const { refused } = await favorites.sync('ann', { changes: [tap(1), one, tap(3, false), tap(1)] }, NOW, view)
  expect(refused).toEqual([{ id: one.id, message: FAVORITES_FULL }])
  expect(FAVORITES_FULL).toContain(FAVORITES_MAX.toLocaleString('en'))
  expect(await favorites.set('ann', songId(2), true, NOW)).toBe('full')
  expect(await favorites.set('ann', songId(1), true, NOW), 'it is there already').toBe('set')
  expect((await favorites.sync('ann', { changes: [tap(1, false, NOW + 5), one] }, NOW + 5, view)).refused).toEqual([])
  expect(await favorites.has('ann', songId(2))).toBe(true)
  expect(await favorites.export('ann')).toHaveLength(FAVORITES_MAX)
  expect((await favorites.all('ann', { limit: 9, offset: 0 }, view)).map(({ youtube_id }) => youtube_id)).toEqual([songId(2)])
  // Draws hit hardly ever one that the catalogue has.
  expect((await favorites.random('ann', undefined))?.youtube_id).toBe(songId(2))
})

test('ids of changes are forgotten after 400 days, and not before', async () => {
  const { favorites } = await open()
  const [old, newer] = [tap(1), tap(2)]
  await favorites.sync('ann', { changes: [old] }, NOW, view)
  await favorites.sync('ann', { changes: [newer] }, NOW + DAY, view)
  await favorites.sync('bob', { changes: [tap(3)] }, NOW + 400.5 * DAY, view)
  expect(inDatabase((database) => database.prepare("select id from applied_changes where owner = 'ann'").pluck().all())).toEqual([newer.id])
})

test('two programs that apply changes to one list at once lose none', async () => {
  const programs = [await open(), await open()]
  const taps = Array.from({ length: 120 }, (_, i) => tap((i % 3) + 1, i % 2 === 0, NOW + i))
  await Promise.all(taps.map((each, i) => programs[i % 2]?.favorites.sync('ann', { changes: [each] }, NOW + 1000, view)))
  const [a, b] = await Promise.all(programs.map((each) => each.favorites.sync('ann', {}, NOW + 1000, view)))
  expect(a).toEqual(b)
  const rows = inDatabase((database) => database.prepare('select song_id, favorite, version from favorites order by song_id').all())
  // The last taps on the three songs are those of the numbers 117, 118 and 119.
  expect(rows).toMatchObject([{ favorite: 0 }, { favorite: 1 }, { favorite: 0 }])
  expect(inDatabase((database) => database.prepare('select count(*) from applied_changes').pluck().get())).toBe(120)
  expect(new Set(rows.map((row) => (row as { version: number }).version)).size).toBe(3)
})
