import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SongDetail } from '../../contract/song.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { clearHistory, readRecentPlays, recordPlay } from './recent-plays.ts'
import { createTestSong } from './testing/rows.ts'

const createSongDetail = (index: number): SongDetail => ({
  ...createTestSong(index),
  description: 'Long text',
  context_id: 'dance',
  context_title: 'Dance',
  first_song: '',
  next: '',
  next_title: '',
  favorite: false,
})

it('recent plays: at most 200 songs are listed, each once, the last played first, even if the clock was wrong', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ song: fc.nat(260), atMs: fc.nat(1000) }), { maxLength: 300 }), async (plays) => {
      const database = createMemoryDatabase()
      for (const { song, atMs } of plays) await recordPlay(database, createSongDetail(song), undefined, atMs)
      const expectedIds = [...new Set(plays.map(({ song }) => createTestSong(song).youtube_id).reverse())].slice(0, 200)
      expect((await database.read(readRecentPlays)).map(({ id }) => id)).toEqual(expectedIds)
    }),
    { numRuns: 20 },
  )
})

it('recent plays: a row has the fields that song lists show, and the context in which the song was played, until the history is cleared', async () => {
  const database = createMemoryDatabase()
  await recordPlay(database, createSongDetail(1), 'rush', 77)
  await recordPlay(database, createSongDetail(2), undefined, 78)
  expect(await database.read(readRecentPlays)).toEqual([
    { id: createTestSong(2).youtube_id, song: createTestSong(2), playedAtMs: 78 },
    { id: createTestSong(1).youtube_id, song: createTestSong(1), playedAtMs: 77, contextId: 'rush' },
  ])
  await clearHistory(database)
  expect(await database.read(readRecentPlays)).toEqual([])
})
