import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openStorage } from '../open.ts'
import { allRows, createSongRows, createSongSearch, formatSongId, songReadOptions } from '../testing/fixture.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-limits-'))
afterAll(() => rm(dataDir, { recursive: true }))

it('SQLite: no statement has a parameter alone as its limit, because it would be compiled again at each execution', async () => {
  const observedStatements = new Set<string>()
  const storage = await openStorage({ dataDir, observeQuery: ({ sql }) => observedStatements.add(sql) })
  const catalogueFile = join(dataDir, 'catalogue.json')
  await writeFile(catalogueFile, JSON.stringify({ songs: createSongRows(10) }))
  await storage.catalogue.importFile(catalogueFile)
  const readOptions = songReadOptions
  await storage.songs.get(formatSongId(1), undefined, readOptions)
  await storage.songs.listRelated(formatSongId(1), readOptions, { limit: 5, artistLimit: 2, excludedIds: new Set() })
  for (const orderBy of ['title', 'date_added'] as const)
    for (const text of ['song', 'ong', 'o']) await storage.songs.search(createSongSearch(text, { orderBy }), readOptions)
  await storage.suggestions.find('so', 5, readOptions)
  await storage.members.list(allRows)
  await storage.close()
  const limits = [...observedStatements].flatMap((sql) => sql.match(/\blimit \?.{0,4}/g) ?? [])
  expect(limits.length).toBeGreaterThan(5)
  expect(limits.filter((text) => !text.startsWith('limit ? + 0'))).toEqual([])
})
