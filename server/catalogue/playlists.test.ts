import { afterEach, expect, it } from 'vitest'
import type { Song } from '../../contract/song.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp | undefined
afterEach(() => site?.close())

const createSongId = (index: number) => `long${String(index).padStart(7, '0')}`

/**
 * Starts a server whose playlist 'night-drive' has `songCount` songs. Reading the page of songs at `changeOffset` changes the catalogue's
 * revision.
 */
const startSite = async (songCount: number, changeOffset?: number) => {
  let changeCount = 0
  site = await createTestApp(
    {},
    {
      wrapStorage: (storage) => ({
        ...storage,
        revision: () => storage.revision() + changeCount,
        playlists: {
          ...storage.playlists,
          async get(playlistId, { limit, offset }, readOptions) {
            if (offset === changeOffset) changeCount += 1
            const storedPlaylist = await storage.playlists.get(playlistId, { limit: 1, offset: 0 }, readOptions)
            const song = storedPlaylist?.songs[0]
            const songRows = Array.from({ length: Math.min(limit, songCount - offset) }, (_, index) => ({
              ...song,
              youtube_id: createSongId(offset + index),
            }))
            return storedPlaylist && { ...storedPlaylist, songs: songRows as Song[] }
          },
        },
      }),
    },
  )
}
const getSongs = async (query: string) => (await site?.app.inject(`/api/playlist/get?p=night-drive${query}`))?.json()

it('a playlist that is requested without a limit is returned with all its songs, however many', async () => {
  await startSite(25_000)
  const { code, data } = await getSongs('')
  expect(code).toBe(200)
  expect(data.playlist.id).toBe('night-drive')
  expect(data.songs.map((song: Song) => song.youtube_id)).toEqual(Array.from({ length: 25_000 }, (_, index) => createSongId(index)))
  expect((await getSongs('&offset=5000')).data.songs).toHaveLength(20_000)
  expect((await getSongs('&limit=10000')).data.songs).toHaveLength(10_000)
  expect((await getSongs('&limit=10001')).code).toBe(400)
})

it('a playlist whose length is a multiple of the page length is returned with all its songs', async () => {
  await startSite(20_000)
  expect((await getSongs('')).data.songs).toHaveLength(20_000)
})

it('the response of a long playlist is broken off if the catalogue changes while it is sent', async () => {
  await startSite(30_000, 20_000)
  expect(await getSongs('')).toMatchObject({ code: 503, data: null })
})
