import { expect, it } from 'vitest'
import { ENTRIES_PER_PLAYLIST_MAX } from '../../../contract/own-playlist-rules.ts'
import type { FileSong } from '../../data/song-files/song-file.ts'
import { createTestSong } from '../../data/testing/rows.ts'
import { createApi } from '../../platform/api.ts'
import { matchPlaylists, readYoutubePlaylist } from './match-songs.ts'

const VIDEO_REFUSAL = 'Many videos were looked up today. Please go on tomorrow.'
const STORED_VIDEO_IDS = ['video000001', 'video000120']

/**
 * A server that has each song whose id begins with `long`, the song `Café del Mar` for each name, and the videos of `STORED_VIDEO_IDS`. It refuses the
 * requests for videos after the first `videoCallsMax`. If `isLimitReached`, it looks up no videos except those that it has.
 */
function createStandIn(takesVideos: boolean, { videoCallsMax = Number.POSITIVE_INFINITY, isLimitReached = false } = {}) {
  const requestedVideoIds: string[][] = []
  const api = createApi({
    baseUrl: '/api',
    fetch: async (input, init) => {
      const { ids = [], names = [] }: { ids?: string[]; names?: unknown[] } = JSON.parse(String(init?.body))
      const isVideoLookup = String(input).endsWith('/list/find-videos')
      if (isVideoLookup && requestedVideoIds.push(ids) > videoCallsMax)
        return Response.json({ code: 429, message: VIDEO_REFUSAL, data: null }, { status: 429 })
      const knownIds = ids.filter((id) => (isVideoLookup ? STORED_VIDEO_IDS.includes(id) : id.startsWith('long')))
      const namedSong = { ...createTestSong(1), title: 'Café del Mar' }
      const songs = [...knownIds.map((youtube_id) => ({ ...createTestSong(1), youtube_id })), ...names.map(() => namedSong)]
      const data = {
        ...{ songs, found: names.map(() => namedSong.youtube_id), takes_videos: takesVideos },
        ...(isVideoLookup && isLimitReached && { unsearched: { ids: ids.filter((id) => !knownIds.includes(id)), reason: VIDEO_REFUSAL } }),
      }
      return Response.json({ code: 200, message: 'OK', data })
    },
  })
  return { apis: { api, accountApi: api }, requestedVideoIds }
}

const createFileSong = (position: number, songFields: Partial<FileSong>): FileSong => ({ position, title: '', artist: '', ...songFields })
const readPlaylists = async (...input: Parameters<typeof matchPlaylists>) => (await matchPlaylists(...input)).playlists
const createFilePlaylist = (songs: readonly FileSong[], title = 'List') => ({ title, description: '', songs })

it('import: songs that a playlist has no room for are counted, and a title without a visible character counts as missing', async () => {
  const songs = Array.from({ length: ENTRIES_PER_PLAYLIST_MAX + 3 }, (_, songNumber) =>
    createFileSong(songNumber, { songId: `long${String(songNumber).padStart(7, '0')}` }),
  )
  const [playlist] = await readPlaylists(createStandIn(false).apis, [createFilePlaylist(songs, '\u200B\u202E\u200E\u200D')], () => {})
  expect(playlist).toMatchObject({ title: '', excessCount: 3, missingSongs: [] })
  expect(playlist?.songs).toHaveLength(ENTRIES_PER_PLAYLIST_MAX)
})

it('import: where the site allows it, videos that the catalogue lacks are looked up, 50 in a call, for a person who is signed in', async () => {
  const videoIds = Array.from({ length: 60 }, (_, number) => `video${String(number).padStart(6, '0')}`)
  const songs = ['long0000001', ...videoIds].map((songId, index) => createFileSong(index + 1, { songId }))
  const allowing = createStandIn(true)
  const shares: number[] = []
  const [playlist] = await readPlaylists(allowing.apis, [createFilePlaylist(songs)], (share) => shares.push(share))
  expect(playlist?.songs.map((song) => song.youtube_id)).toEqual(['long0000001', 'video000001'])
  expect(playlist?.missingSongs).toHaveLength(59)
  expect(allowing.requestedVideoIds).toEqual([videoIds.slice(0, 50), videoIds.slice(50)])
  expect(shares.at(-1)).toBe(1)

  const refusing = createStandIn(false)
  expect(await matchPlaylists(refusing.apis, [createFilePlaylist(songs)], () => {})).toMatchObject({
    playlists: [{ songs: [{ youtube_id: 'long0000001' }], missingSongs: songs.slice(1), unsearchedSongs: [] }],
    lookUpGap: undefined,
  })
  const signedOut = createStandIn(true)
  const signedOutApis = { api: signedOut.apis.api, accountApi: undefined }
  expect(await matchPlaylists(signedOutApis, [createFilePlaylist(songs)], () => {})).toMatchObject({
    playlists: [{ songs: [{ youtube_id: 'long0000001' }], missingSongs: [], unsearchedSongs: songs.slice(1) }],
    lookUpGap: { kind: 'signed-out' },
  })
  expect([refusing.requestedVideoIds, signedOut.requestedVideoIds]).toEqual([[], []])
})

it('import: after a refused request for videos, no more are asked for, the songs found before stay, and the others are not called missing', async () => {
  const videoIds = Array.from({ length: 160 }, (_, number) => `video${String(number).padStart(6, '0')}`)
  const namedSong = createFileSong(162, { title: 'Café del Mar' })
  const songs = [...['long0000001', ...videoIds].map((songId, index) => createFileSong(index + 1, { songId })), namedSong]
  const { apis, requestedVideoIds } = createStandIn(true, { videoCallsMax: 1 })
  const shares: number[] = []
  const { playlists, lookUpGap } = await matchPlaylists(apis, [createFilePlaylist(songs)], (share) => shares.push(share))
  expect(requestedVideoIds).toHaveLength(2)
  expect(playlists[0]?.songs.map((song) => song.youtube_id)).toEqual(['long0000001', 'video000001', createTestSong(1).youtube_id])
  expect(playlists[0]?.missingSongs.map(({ songId }) => songId)).toEqual(videoIds.slice(0, 50).filter((id) => id !== 'video000001'))
  expect(playlists[0]?.unsearchedSongs.map(({ songId }) => songId)).toEqual(videoIds.slice(50))
  expect(lookUpGap).toEqual({ kind: 'failed', reason: VIDEO_REFUSAL })
  expect(shares.at(-1)).toBe(1)
})

it('import: when the limit of the day is reached, the videos that the site has are found, also those of later requests', async () => {
  const videoIds = Array.from({ length: 160 }, (_, number) => `video${String(number).padStart(6, '0')}`)
  const songs = videoIds.map((songId, index) => createFileSong(index + 1, { songId }))
  const { apis, requestedVideoIds } = createStandIn(true, { isLimitReached: true })
  const { playlists, lookUpGap } = await matchPlaylists(apis, [createFilePlaylist(songs)], () => {})
  expect(requestedVideoIds.flat()).toEqual(videoIds)
  expect(playlists[0]?.songs.map((song) => song.youtube_id)).toEqual(STORED_VIDEO_IDS)
  expect(playlists[0]?.unsearchedSongs.map(({ songId }) => songId)).toEqual(videoIds.filter((id) => !STORED_VIDEO_IDS.includes(id)))
  expect(playlists[0]?.missingSongs).toEqual([])
  expect(lookUpGap).toEqual({ kind: 'failed', reason: VIDEO_REFUSAL })
})

it('import: the videos of a YouTube playlist that could not be looked up are not called missing', async () => {
  const items = ['long0000001', 'gone0000001', 'video000002'].map((s) => ({ s, title: `Title of ${s}`, author: 'Ann' }))
  const data = {
    ...{ title: 'Abroad', items, songs: [{ ...createTestSong(1), youtube_id: 'long0000001' }] },
    unsearched: { ids: ['video000002'], reason: VIDEO_REFUSAL },
  }
  const api = createApi({ baseUrl: '/api', fetch: async () => Response.json({ code: 200, message: 'OK', data }) })
  expect(await readYoutubePlaylist(api, 'PLabcdefghijk')).toMatchObject({
    playlists: [
      { songs: [{ youtube_id: 'long0000001' }], missingSongs: [{ songId: 'gone0000001' }], unsearchedSongs: [{ songId: 'video000002' }] },
    ],
    lookUpGap: { kind: 'failed', reason: VIDEO_REFUSAL },
  })
})

it('import: a song that was found by its name under another title is named with that title', async () => {
  const songs = ['CAFE DEL MAR', 'Café del Mar (Remix)'].map((title, index) => createFileSong(index + 1, { title, artist: 'Élan' }))
  const [playlist] = await readPlaylists(createStandIn(false).apis, [createFilePlaylist(songs)], () => {})
  expect(playlist?.songs).toHaveLength(2)
  expect(playlist?.renamedSongs).toMatchObject([{ fileSong: { title: 'Café del Mar (Remix)' }, song: { title: 'Café del Mar' } }])
})

it('import: when the last of several requests for names fails, the import fails, and no song is called missing', async () => {
  let requestCount = 0
  const api = createApi({
    baseUrl: '/api',
    fetch: async (_, init) => {
      requestCount += 1
      if (requestCount === 3) return Response.json({ code: 429, message: 'Too many requests.', data: null }, { status: 429 })
      const { names }: { names: unknown[] } = JSON.parse(String(init?.body))
      return Response.json({ code: 200, message: 'OK', data: { songs: [], found: names.map(() => ''), takes_videos: false } })
    },
  })
  const songs = Array.from({ length: 120 }, (_, index) => createFileSong(index + 1, { title: `Song ${index}` }))
  await expect(matchPlaylists({ api, accountApi: undefined }, [createFilePlaylist(songs)], () => {})).rejects.toThrow('Too many requests.')
})
