import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeStores } from '../storage/testing/databases.ts'
import { createSongRow, formatSongId, songReadOptions } from '../storage/testing/fixture.ts'
import type { RelatedSongsQuery } from './store-related-songs.ts'

describeStores('related songs', (fixture) => {
  const listRelated = async (n: number, limit = 6, options: Omit<RelatedSongsQuery, 'limit'> = {}) =>
    (await fixture.storage.songs.listRelated(formatSongId(n), songReadOptions, { limit, ...options }))?.map((song) => song.youtube_id)
  const createSongIds = (...numbers: number[]) => numbers.map(formatSongId)
  const trapCategory = { category_id: 'trap', category_name: 'Trap' }

  test('related songs: songs of the same artist come first, then songs of the same category, each list continuing after the given song', async () => {
    await fixture.importRows({
      songs: [
        createSongRow(1, { title: 'A', author_name: 'Ada' }),
        createSongRow(2, { title: 'B', author_name: 'Ada' }),
        createSongRow(3, { title: 'C', author_name: 'ÁDA', ...trapCategory }),
        createSongRow(4, { title: 'D' }),
        createSongRow(5, { title: 'E' }),
        createSongRow(6, { title: 'F', ...trapCategory }),
      ],
    })
    // A category is sorted by date, newest first: 5, 4, 2, 1.
    expect(await listRelated(2)).toEqual(createSongIds(3, 1, 5, 4))
    expect(await listRelated(3)).toEqual(createSongIds(1, 2, 6))
    expect(await listRelated(4)).toEqual(createSongIds(5, 6, 2, 1))
    expect(await listRelated(2, 3)).toEqual(createSongIds(3, 1, 5))
    expect(await listRelated(2, 3, { artistLimit: 1 })).toEqual(createSongIds(3, 1, 5))
    expect(await listRelated(9)).toBeUndefined()
  })

  test('related songs: excluded songs are left out', async () => {
    await fixture.importRows({ songs: [1, 2, 3].map((n) => createSongRow(n)) })
    for (const clientId of ['a', 'b', 'c'])
      await fixture.storage.songs.reportUnplayable({ songId: formatSongId(2), reason: 'video error 150', clientId, atMs: Date.now() })
    expect(await listRelated(1)).toEqual(createSongIds(3))
  })

  test('related songs: the songs are distinct, do not include the song itself or an excluded one, and are as many as exist up to the limit', async () => {
    const anyRow = fc.record({ author: fc.constantFrom('Ada', 'Zed', '!!!'), category: fc.constantFrom('house', 'trap') })
    const songRows = fc.sample(anyRow, { numRuns: 60, seed: 7 })
    await fixture.importRows({
      songs: songRows.map(({ author, category }, i) =>
        createSongRow(i + 1, { author_name: author, category_id: category, category_name: category }),
      ),
    })
    const isSameArtist = (a: number, b: number) => songRows[a]?.author === songRows[b]?.author
    const isRelated = (a: number, b: number) => a !== b && (isSameArtist(a, b) || songRows[a]?.category === songRows[b]?.category)
    const excludedIndexes = fc.uniqueArray(fc.nat(songRows.length - 1), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(
        fc.nat(songRows.length - 1),
        fc.integer({ min: 1, max: 20 }),
        excludedIndexes,
        async (index, songLimit, excludedRows) => {
          const songIds =
            (await listRelated(index + 1, songLimit, { excludedIds: new Set(createSongIds(...excludedRows.map((row) => row + 1))) })) ?? []
          const foundIndexes = songIds.map((id) => songRows.findIndex((_, i) => formatSongId(i + 1) === id))
          expect(new Set(foundIndexes).size).toBe(songIds.length)
          expect(foundIndexes.every((other) => isRelated(index, other))).toBe(true)
          expect(foundIndexes.filter((other) => excludedRows.includes(other))).toEqual([])
          const candidateRows = songRows.filter((_, other) => isRelated(index, other) && !excludedRows.includes(other))
          expect(songIds).toHaveLength(Math.min(songLimit, candidateRows.length))
          const artistFlags = foundIndexes.map((other) => isSameArtist(index, other))
          expect(artistFlags).toEqual([...artistFlags].sort((a, b) => Number(b) - Number(a)))
        },
      ),
      { numRuns: 40, seed: 5 },
    )
  })
})
