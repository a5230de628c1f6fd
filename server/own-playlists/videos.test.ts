import { afterEach, beforeEach, expect, it, test } from 'vitest'
import { type SimulatedYoutube, startSimulatedYoutube } from '../admin/youtube/testing/youtube-peer.ts'
import { DAY_MS } from '../durations.ts'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { createSongRow, songReadOptions } from '../storage/testing/fixture.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import { createEntryId, createPlaylistId, formatIsoTime } from './testing/changes.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const [SONG_ID, VIDEO_ID, OTHER_VIDEO_ID] = ['AAAAAAAAAA1', 'video000001', 'video000002'] as const

const MINUTE_MS = 60_000
const NO_ANSWER_REASON = 'YouTube cannot be asked right now. Please try again in a minute.'

let peer: SimulatedYoutube
let site: TestApp
let nowMs: number
beforeEach(async () => {
  nowMs = START_MS
  peer = await startSimulatedYoutube()
  for (const id of [SONG_ID, VIDEO_ID, OTHER_VIDEO_ID]) peer.videos.set(id, { title: `Title of ${id}`, channelTitle: 'Ann - Topic' })
})
afterEach(async () => {
  await site.close()
  await peer.close()
})

async function openSite(environment: Record<string, string> = {}) {
  site = await createTestApp({ ...peer.env, ...environment }, { nowMs: () => nowMs })
  return (await createSdkCalls(site).signUp('ann@example.com', 'secret-1')).json().idToken as string
}
const openSiteWithVideos = () => openSite({ PLAYLIST_VIDEOS: 'on' })

const readJson = async (path: string) => (await site.app.inject({ url: `/api${path}` })).json()
const postJson = async (path: string, payload: object, token?: string) => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return (await site.app.inject({ method: 'POST', url: `/api${path}`, headers, payload })).json()
}
const readIds = (songs: readonly { youtube_id: string }[]) => songs.map((song) => song.youtube_id)
const syncPlaylist = (token: string, ...songIds: string[]) => {
  const entries = songIds.map((s, index) => ({ e: createEntryId(index + 1), s, position: `a${index}` }))
  const changeIds = { id: createEntryId(1000 + songIds.length), l: createPlaylistId(1), device: createPlaylistId(9) }
  return postJson('/list/sync', { changes: [{ ...changeIds, at: formatIsoTime(START_MS), title: 'Abroad', entries }] }, token)
}
const hide = (isHidden: boolean) => {
  const act = { actor: 'ann', command: 'song', reason: 'A claim.', atMs: START_MS }
  const { moderation } = site.storage
  return (isHidden ? moderation.hideItem : moderation.showItem)('song', VIDEO_ID, { act, isDryRun: false })
}

it('videos: by default, playlists take no video that the catalogue lacks', async () => {
  const token = await openSite()
  expect((await postJson('/list/match', { ids: [VIDEO_ID] })).data).toEqual({ songs: [], found: [], takes_videos: false })
  expect(await postJson('/list/find-videos', { ids: [VIDEO_ID] }, token)).toEqual({
    code: 404,
    message: 'Playlists of this site have songs of its catalogue only.',
    data: null,
  })
  expect((await syncPlaylist(token, SONG_ID, VIDEO_ID)).data.entries).toHaveLength(1)
  expect(peer.requestTexts).toEqual([])
})

it('videos: where they are allowed, a video is looked up once, and is then in playlists and on its page, but in no search', async () => {
  const token = await openSiteWithVideos()
  peer.videos.set('video000003', { title: 'Not here', embeddable: false })
  expect(await postJson('/list/find-videos', { ids: [VIDEO_ID] })).toMatchObject({ code: 401 })
  const requestedIds = [SONG_ID, VIDEO_ID, 'video000003', 'video000004']
  expect((await postJson('/list/match', { ids: requestedIds })).data).toMatchObject({
    songs: [{ youtube_id: SONG_ID }],
    takes_videos: true,
  })
  const found = (await postJson('/list/find-videos', { ids: requestedIds.slice(1) }, token)).data.songs
  expect(found).toMatchObject([{ title: `Title of ${VIDEO_ID}`, author_name: 'Ann', category_id: '', duration: 200, new: 'false' }])
  await postJson('/list/find-videos', { ids: [VIDEO_ID] }, token)
  expect(peer.requestTexts).toHaveLength(1)

  const synced = (await syncPlaylist(token, VIDEO_ID, SONG_ID, OTHER_VIDEO_ID)).data
  expect(synced.entries).toHaveLength(2)
  expect(readIds(synced.songs).sort()).toEqual([SONG_ID, VIDEO_ID])
  const shareToken = (await postJson('/list/share', { l: createPlaylistId(1), share: true }, token)).data.token
  const shared = (await readJson(`/list/get?l=${shareToken}`)).data
  expect([shared.song_count, readIds(shared.songs)]).toEqual([2, [VIDEO_ID, SONG_ID]])

  const detail = (await readJson(`/song/get?s=${VIDEO_ID}`)).data
  expect(detail).toMatchObject({ youtube_id: VIDEO_ID, category_id: '', next: VIDEO_ID, favorite: false })
  const page = await site.app.inject({ url: `/song?s=${VIDEO_ID}` })
  expect([page.statusCode, page.body.includes('noindex')]).toEqual([200, true])
  expect((await site.app.inject({ url: `/song?s=${SONG_ID}` })).body).not.toContain('noindex')
  expect((await readJson(`/song/search?s=${VIDEO_ID}`)).data).toEqual([])
  const favorite = { id: createEntryId(2000), s: VIDEO_ID, favorite: true, device: createPlaylistId(9), at: formatIsoTime(START_MS) }
  expect((await postJson('/favorite/sync', { changes: [favorite] }, token)).data.refused).toMatchObject([
    { message: 'This video is no song of the catalogue. It can only be in playlists.' },
  ])
  expect(await readJson(`/song/related?s=${VIDEO_ID}`)).toMatchObject({ code: 200, data: [] })
  expect(await readJson(`/song/related?s=${OTHER_VIDEO_ID}`)).toMatchObject({ code: 404 })
  expect(await postJson('/song/play', { s: VIDEO_ID })).toMatchObject({ code: 200 })
  expect(await postJson('/song/play', { s: OTHER_VIDEO_ID })).toMatchObject({ code: 404 })
})

it('videos: the import of a YouTube playlist includes them; a video whose look-up failed is named as not looked up, and is no missing song', async () => {
  const token = await openSiteWithVideos()
  peer.playlists.set('PLabcdefghijk', { title: 'Abroad', videoIds: [VIDEO_ID, SONG_ID, OTHER_VIDEO_ID] })
  peer.videos.delete(OTHER_VIDEO_ID)
  const imported = await postJson('/list/import-youtube', { url: 'PLabcdefghijk' }, token)
  expect(readIds(imported.data.songs)).toEqual([SONG_ID, VIDEO_ID])
  peer.faults = [{ status: 503, reason: 'backendError' }]
  expect((await postJson('/list/find-videos', { ids: ['video000009'] }, token)).data).toEqual({
    songs: [],
    unsearched: { ids: ['video000009'], reason: NO_ANSWER_REASON },
  })
})

it('videos: while YouTube does not answer, an import keeps the videos that the site has, and YouTube is asked once in a minute', async () => {
  const token = await openSiteWithVideos()
  const findVideos = async (...ids: string[]) => (await postJson('/list/find-videos', { ids }, token)).data
  await findVideos(VIDEO_ID)
  peer.requestTexts.length = 0
  peer.faults = [{ status: 503, reason: 'backendError' }]
  for (const newId of [OTHER_VIDEO_ID, 'video000003'])
    expect(await findVideos(VIDEO_ID, newId)).toMatchObject({
      songs: [{ youtube_id: VIDEO_ID }],
      unsearched: { ids: [newId], reason: NO_ANSWER_REASON },
    })
  expect(peer.requestTexts).toHaveLength(1)
  nowMs += MINUTE_MS
  expect(readIds((await findVideos(OTHER_VIDEO_ID)).songs)).toEqual([OTHER_VIDEO_ID])
})

it('videos: the import of a YouTube playlist keeps its songs and names the videos that could not be looked up', async () => {
  const token = await openSiteWithVideos()
  await postJson('/list/find-videos', { ids: [VIDEO_ID] }, token)
  const newIds = Array.from({ length: 60 }, (_, index) => `video1${String(index).padStart(5, '0')}`)
  for (const id of newIds) peer.videos.set(id, { title: `Title of ${id}` })
  peer.playlists.set('PLabcdefghijk', { title: 'Abroad', videoIds: [VIDEO_ID, SONG_ID, ...newIds] })
  // The playlist and its two pages of entries can be read, and the first 50 of the new videos.
  peer.remainingQuota = 4
  const imported = (await postJson('/list/import-youtube', { url: 'PLabcdefghijk' }, token)).data
  expect(readIds(imported.songs).sort()).toEqual([SONG_ID, VIDEO_ID, ...newIds.slice(0, 50)].sort())
  expect(imported.unsearched).toEqual({ ids: newIds.slice(50), reason: NO_ANSWER_REASON })
})

it('videos: an account asks YouTube 400 times a day at most; videos that are stored cost nothing', async () => {
  const token = await openSiteWithVideos()
  await postJson('/list/find-videos', { ids: [VIDEO_ID] }, token)
  const uid = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub as string
  const accountLimit = { key: `videos of ${uid}`, max: 400, windowMs: DAY_MS }
  for (let count = 1; count < 400; count++) expect(await site.storage.attempts.take([accountLimit], START_MS)).toBeDefined()
  const refusal = { ids: [OTHER_VIDEO_ID], reason: 'Many videos were looked up today. Please go on tomorrow.' }
  const found = (await postJson('/list/find-videos', { ids: [VIDEO_ID, OTHER_VIDEO_ID] }, token)).data
  expect([readIds(found.songs), found.unsearched]).toEqual([[VIDEO_ID], refusal])
  peer.playlists.set('PLabcdefghijk', { title: 'Abroad', videoIds: [SONG_ID, VIDEO_ID, OTHER_VIDEO_ID] })
  const imported = (await postJson('/list/import-youtube', { url: 'PLabcdefghijk' }, token)).data
  expect([readIds(imported.songs), imported.unsearched]).toEqual([[SONG_ID, VIDEO_ID], refusal])
})

it('videos: a hidden video leaves playlists and pages, cannot be looked up again, and returns when it is shown again', async () => {
  const token = await openSiteWithVideos()
  await postJson('/list/find-videos', { ids: [VIDEO_ID] }, token)
  await syncPlaylist(token, VIDEO_ID)
  const readAll = async () => [
    (await readJson(`/song/get?s=${VIDEO_ID}`)).code,
    readIds((await postJson('/list/sync', {}, token)).data.songs),
    readIds((await postJson('/list/find-videos', { ids: [VIDEO_ID] }, token)).data.songs),
  ]
  expect(await hide(true)).toMatchObject({ kind: 'done', target: { title: `Title of ${VIDEO_ID}` }, effects: { own_playlists: 1 } })
  expect(await readAll()).toEqual([404, [], []])
  expect(await hide(false)).toMatchObject({ kind: 'done' })
  expect(await readAll()).toEqual([200, [VIDEO_ID], [VIDEO_ID]])
})

describeStores('videos of own playlists', (fixture) => {
  const [video, otherVideo] = [VIDEO_ID, OTHER_VIDEO_ID].map((song_id) => ({
    ...{ song_id, title: `Title of ${song_id}`, author_name: 'Ann', author_channel_id: null, duration: 200 },
  }))

  test('a video that is in no playlist is deleted after a week, and one that the catalogue has got since is read as its song', async () => {
    const { songs, ownPlaylists, deleteExpired } = fixture.storage
    if (video === undefined || otherVideo === undefined) throw new Error('Two videos are needed')
    await songs.storeVideos([video, otherVideo], START_MS)
    const entries = [video, otherVideo].map(({ song_id }, index) => ({ e: createEntryId(index), s: song_id, position: `a${index}` }))
    const change = { id: createEntryId(1000), l: createPlaylistId(1), device: createPlaylistId(9), at: formatIsoTime(START_MS) }
    await ownPlaylists.sync('ann', { changes: [{ ...change, title: 'Abroad', entries: entries.slice(0, 1) }] }, START_MS, songReadOptions)
    const listIds = async () => (await songs.listVideos([VIDEO_ID, OTHER_VIDEO_ID])).map((row) => row.song_id).sort()
    await deleteExpired(START_MS + 7 * DAY_MS)
    expect(await listIds()).toEqual([VIDEO_ID, OTHER_VIDEO_ID])
    await songs.noteLookUp([OTHER_VIDEO_ID], START_MS + 5)
    await deleteExpired(START_MS + 7 * DAY_MS + 5)
    expect(await listIds()).toEqual([VIDEO_ID, OTHER_VIDEO_ID])
    await deleteExpired(START_MS + 7 * DAY_MS + 6)
    expect(await listIds()).toEqual([VIDEO_ID])

    const readSong = async () => (await ownPlaylists.listSongs('ann', createPlaylistId(1), { limit: 10, offset: 0 }, songReadOptions))[0]
    expect(await readSong()).toMatchObject({ title: `Title of ${VIDEO_ID}`, category_id: '' })
    await fixture.importRows({ songs: [createSongRow(1, { youtube_id: VIDEO_ID, title: 'Of the catalogue' })] })
    expect(await readSong()).toMatchObject({ title: 'Of the catalogue' })
    expect(await songs.get(VIDEO_ID, undefined, songReadOptions)).toMatchObject({ title: 'Of the catalogue' })
    expect(await ownPlaylists.countSongs('ann', createPlaylistId(1))).toBe(1)
  })
})
