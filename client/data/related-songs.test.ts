import { expect, test } from 'vitest'
import { ApiCallError, createApi } from '../platform/api.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { findRelatedSongs } from './related-songs.ts'
import { createSongIndex } from './song-index.ts'
import { createTestSong } from './testing/rows.ts'

const storedSongs = [1, 2, 3].map((index) => createTestSong(index))

async function findWithAnswer(answer: () => Response) {
  const database = createMemoryDatabase()
  await database.change((tables) => tables.songs.put(storedSongs))
  const songIndex = createSongIndex(database)
  const api = createApi({ baseUrl: '/api', fetch: async () => answer() })
  const songs = await findRelatedSongs({ api, songIndex: async () => songIndex }, createTestSong(1), { limit: 2 })
  return songs?.map((song) => song.youtube_id).toSorted()
}

const answerWithStatus = (status: number) => () => Response.json({ code: status, message: 'Failed', data: null }, { status })
const idsOnDevice = storedSongs.slice(1).map((song) => song.youtube_id)

test.each([429, 500, 503])('related songs: if the server answers with %i, those on this device are found', async (status) => {
  expect(await findWithAnswer(answerWithStatus(status))).toEqual(idsOnDevice)
})

test('related songs: without a network, those on this device are found', async () => {
  const failingFetch = () => {
    throw new TypeError('Failed to fetch')
  }
  expect(await findWithAnswer(failingFetch)).toEqual(idsOnDevice)
})

test('related songs: of a song that the server does not have, none are found', async () => {
  await expect(findWithAnswer(answerWithStatus(404))).rejects.toThrow(ApiCallError)
})
