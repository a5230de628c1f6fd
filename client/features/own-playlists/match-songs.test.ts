import { expect, it } from 'vitest'
import { ENTRIES_PER_PLAYLIST_MAX } from '../../../contract/own-playlist-rules.ts'
import { createTestSong } from '../../data/testing/rows.ts'
import { createApi } from '../../platform/api.ts'
import { matchPlaylists } from './match-songs.ts'

const catalogueApi = createApi({
  baseUrl: '/api',
  fetch: async (_input, init) => {
    const { ids }: { ids: string[] } = JSON.parse(String(init?.body))
    return Response.json({
      code: 200,
      message: 'OK',
      data: { songs: ids.map((id) => ({ ...createTestSong(1), youtube_id: id })), found: [] },
    })
  },
})

it('import: songs that a playlist has no room for are counted, and a title without a visible character counts as missing', async () => {
  const songs = Array.from({ length: ENTRIES_PER_PLAYLIST_MAX + 3 }, (_, songNumber) => ({
    position: songNumber,
    songId: `long${String(songNumber).padStart(7, '0')}`,
    title: '',
    artist: '',
  }))
  const [playlist] = await matchPlaylists(catalogueApi, [{ title: '\u200B\u202E\u200E\u200D', description: '', songs }], () => {})
  expect(playlist).toMatchObject({ title: '', excessCount: 3, missingSongs: [] })
  expect(playlist?.songs).toHaveLength(ENTRIES_PER_PLAYLIST_MAX)
})
