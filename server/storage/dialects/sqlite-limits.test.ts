import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openStorage } from '../open.ts'
import { allRows, songId, songReadOptions, songRows, songSearch } from '../testing/fixture.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-limits-'))
afterAll(() => rm(dataDir, { recursive: true }))

it('SQLite: no statement has a parameter alone as its limit, because it would be compiled again at each execution', async () => {
  const statements = new Set<string>()
  const storage = await openStorage({ dataDir, observeQuery: ({ sql }) => statements.add(sql) })
  const file = join(dataDir, 'catalogue.json')
  await writeFile(file, JSON.stringify({ songs: songRows(10) }))
  await storage.catalogue.importFile(file)
  const view = songReadOptions
  await storage.songs.get(songId(1), undefined, view)
  await storage.songs.listRelated(songId(1), view, { limit: 5, artistLimit: 2, excludedIds: new Set() })
  for (const orderBy of ['title', 'date_added'] as const)
    for (const text of ['song', 'ong', 'o']) await storage.songs.search(songSearch(text, { orderBy }), view)
  await storage.suggestions.find('so', 5, view)
  await storage.members.list(allRows)
  await storage.close()
  const limits = [...statements].flatMap((sql) => sql.match(/\blimit \?.{0,4}/g) ?? [])
  expect(limits.length).toBeGreaterThan(5)
  expect(limits.filter((text) => !text.startsWith('limit ? + 0'))).toEqual([])
})
