import { randomUUID } from 'node:crypto'
import openGraph from 'open-graph-scraper'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { InitialData, PrerenderFunctions } from '../../contract/initial-data.ts'
import { createSharedPlaylistContextId } from '../../contract/playlist-rules.ts'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import { createEntryId, createPlaylistId, formatIsoTime } from './testing/changes.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const [FIRST_SONG_ID, SECOND_SONG_ID, OTHER_SONG_ID] = ['AAAAAAAAAA1', 'AAAAAAAAAA2', 'BBBBBBBBBB1'] as const
const NO_PLAYLIST = { code: 404, message: 'There is no such playlist.', data: null }

let site: TestApp
let nowMs = START_MS
let renderedData: InitialData | undefined
beforeEach(async () => {
  nowMs = START_MS
  renderedData = undefined
  const renderPage: PrerenderFunctions['renderPage'] = async (_site, _path, initialData) => {
    renderedData = initialData
    return '<h1>Page</h1>'
  }
  site = await createTestApp({}, { nowMs: () => nowMs, prerender: { renderPage, renderShell: () => '' } })
})
afterEach(() => site.close())

const createToken = async (name: string) => (await createSdkCalls(site).signUp(`${name}@example.com`, 'secret-1')).json().idToken as string
const createBearerHeader = (token: string | undefined) => (token === undefined ? {} : { authorization: `Bearer ${token}` })
const getPath = (path: string, token?: string) => site.app.inject({ url: path, headers: createBearerHeader(token) })
const postJson = async (token: string | undefined, path: string, payload: Record<string, unknown>) =>
  (await site.app.inject({ method: 'POST', url: `/api${path}`, headers: createBearerHeader(token), payload })).json()
const createEntries = (...songs: string[]) => songs.map((s, n) => ({ e: createEntryId(n + 1), s, position: `a${n}` }))
const createPlaylistChange = (changeFields: Record<string, unknown>) => ({
  ...{ id: randomUUID(), l: createPlaylistId(1), at: formatIsoTime(nowMs), device: '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c' },
  ...changeFields,
})
const createRoadsChange = () =>
  createPlaylistChange({
    title: 'Roads',
    description: 'For <b>driving</b>',
    entries: createEntries(FIRST_SONG_ID, OTHER_SONG_ID, FIRST_SONG_ID),
  })
const shareRoadsPlaylist = async (annToken: string, playlistFields = {}) => {
  await postJson(annToken, '/list/sync', { changes: [createRoadsChange()] })
  return (await postJson(annToken, '/list/share', { l: createPlaylistId(1), share: true, ...playlistFields })).data.token as string
}

it("own playlists: sync requires a login, and returns only the playlists of the caller's account", async () => {
  const [annToken, bobToken] = [await createToken('ann'), await createToken('bob')]
  const syncAnswer = await postJson(annToken, '/list/sync', { changes: [createRoadsChange()] })
  expect(syncAnswer).toMatchObject({ code: 200, data: { whole: true, refused: [], playlists: [{ title: 'Roads' }] } })
  expect(syncAnswer.data.songs.map(({ title }: { title: string }) => title).sort()).toEqual(['Café del Mar', 'Stone'])
  expect((await postJson(bobToken, '/list/sync', { since: syncAnswer.data.cursor })).data).toMatchObject({
    whole: true,
    playlists: [],
    entries: [],
  })
  expect(await postJson(undefined, '/list/sync', {})).toEqual({ code: 401, message: 'Please log in.', data: null })
})

it('own playlists: a call with more than 1,000 entries together is refused', async () => {
  const annToken = await createToken('ann')
  const createManyEntries = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ e: createEntryId(n), s: FIRST_SONG_ID, position: 'a' }))
  const syncNewPlaylists = (...songCounts: number[]) =>
    postJson(annToken, '/list/sync', {
      changes: songCounts.map((count) => createPlaylistChange({ title: 'Long', entries: createManyEntries(count) })),
    })
  expect(await syncNewPlaylists(500, 500, 1)).toEqual({ code: 400, message: 'changes must have at most 1000 entries together', data: null })
  expect(await syncNewPlaylists(501)).toMatchObject({ code: 400 })
  expect(await syncNewPlaylists(500, 500)).toMatchObject({ code: 200, data: { refused: [] } })
  for (const invalidPosition of ['', 'a b', '\u00e9', 'a'.repeat(101)])
    expect(
      await postJson(annToken, '/list/sync', {
        changes: [createPlaylistChange({ entries: [{ e: createEntryId(1), position: invalidPosition }] })],
      }),
      invalidPosition,
    ).toMatchObject({
      code: 400,
    })
})

it('own playlists: calls without changes do not count as writes', async () => {
  await site.close()
  site = await createTestApp({ RATE_LIMIT_WRITES: '2' }, { nowMs: () => nowMs })
  const annToken = await createToken('ann')
  const statusCodes: number[] = []
  for (let n = 0; n < 5; n++) statusCodes.push((await postJson(annToken, '/list/sync', {})).code)
  for (let n = 0; n < 3; n++)
    statusCodes.push((await postJson(annToken, '/list/sync', { changes: [createPlaylistChange({ title: `${n}` })] })).code)
  expect(statusCodes).toEqual([200, 200, 200, 200, 200, 200, 200, 429])
})

it('a shared playlist: everybody reads it by its token, and its responses may not be cached', async () => {
  const annToken = await createToken('ann')
  const shareToken = await shareRoadsPlaylist(annToken)
  const listAnswer = await getPath(`/api/list/get?l=${shareToken}&limit=2`)
  expect(listAnswer.headers['cache-control']).toBe('no-store')
  expect(listAnswer.json().data).toMatchObject({ title: 'Roads', description: 'For <b>driving</b>', song_count: 3 })
  expect(listAnswer.json().data.songs.map((song: { youtube_id: string }) => song.youtube_id)).toEqual([FIRST_SONG_ID, OTHER_SONG_ID])
  expect((await getPath(`/api/list/get?l=${shareToken}&offset=2`)).json().data.songs).toMatchObject([{ youtube_id: FIRST_SONG_ID }])
  expect(listAnswer.json().data).not.toHaveProperty('owner')
  for (const unknown of ['x', 'A'.repeat(22), createPlaylistId(1), `${shareToken}%00`]) {
    const { code } = (await getPath(`/api/list/get?l=${unknown}`)).json()
    expect([unknown, code < 500 && code >= 400]).toEqual([unknown, true])
  }
  await postJson(annToken, '/list/share', { l: createPlaylistId(1), share: false })
  const revoked = await getPath(`/api/list/get?l=${shareToken}`)
  expect([revoked.json(), revoked.headers['cache-control']]).toEqual([NO_PLAYLIST, 'no-store'])
})

it('a shared playlist: its page is rendered with its songs', async () => {
  const shareToken = await shareRoadsPlaylist(await createToken('ann'))
  await getPath(`/list?l=${shareToken}`)
  expect(renderedData?.playlist).toMatchObject({
    id: createSharedPlaylistContextId(shareToken),
    complete: true,
    rows: {
      playlist: { title: 'Roads', song_count: 3 },
      songs: [FIRST_SONG_ID, OTHER_SONG_ID, FIRST_SONG_ID].map((id) => ({ youtube_id: id })),
    },
  })
})

it("a shared playlist: the owner's website is named while visitors see it", async () => {
  const annToken = await createToken('ann')
  const shareToken = await shareRoadsPlaylist(annToken)
  await site.storage.roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: undefined })
  await postJson(annToken, '/website/activate', { domain_name: 'ann-sings' })
  expect((await getPath(`/api/list/get?l=${shareToken}`)).json().data.owner).toBe('ann-sings')
  expect(
    await postJson(annToken, '/website/save', {
      domain_name: 'ann-sings',
      name: 'Ann',
      youtube: 'https://www.youtube.com/@ann',
      enabled: 'no',
    }),
  ).toMatchObject({ code: 200 })
  expect((await getPath(`/api/list/get?l=${shareToken}`)).json().data).not.toHaveProperty('owner')
})

const hideList = (shareToken: string) =>
  site.storage.moderation.hideList(shareToken, {
    act: { actor: 'admin', command: 'list hide', reason: 'Rude title', atMs: Date.now() },
    isDryRun: false,
  })

it('a shared playlist: visitors can report it, even if it is already hidden', async () => {
  const shareToken = await shareRoadsPlaylist(await createToken('ann'))
  expect(await postJson(undefined, '/list/report', { l: shareToken, reason: 'Spam' })).toMatchObject({ code: 200 })
  expect(await postJson(undefined, '/list/report', { l: shareToken })).toMatchObject({ code: 400 })
  expect(await postJson(undefined, '/list/report', { l: 'x', reason: 'Spam' })).toEqual(NO_PLAYLIST)
  expect(await site.storage.moderation.listReports(9)).toMatchObject([{ target: `list ${shareToken}`, title: 'Roads', reason: 'Spam' }])
  await hideList(shareToken)
  expect((await getPath(`/api/list/get?l=${shareToken}`)).json()).toEqual(NO_PLAYLIST)
  expect(await postJson(undefined, '/list/report', { l: shareToken, reason: 'Spam' })).toMatchObject({ code: 200 })
})

it('sharing: an unknown playlist is answered with 404, and a hidden one with 403', async () => {
  const annToken = await createToken('ann')
  const shareToken = await shareRoadsPlaylist(annToken, { indexed: true })
  expect(await postJson(annToken, '/list/share', { l: createPlaylistId(2), share: true })).toEqual(NO_PLAYLIST)
  expect(await postJson(await createToken('bob'), '/list/share', { l: createPlaylistId(1), share: false })).toEqual(NO_PLAYLIST)
  await hideList(shareToken)
  expect(await postJson(annToken, '/list/share', { l: createPlaylistId(1), share: true })).toMatchObject({ code: 403 })
  const { data } = await postJson(annToken, '/list/sync', {})
  expect(data.playlists).toMatchObject([{ hidden: 'Rude title', share: { token: shareToken, indexed: true } }])
})

it('own playlists: playlists are exported beside the favorites, and deleted with the account', async () => {
  const annToken = await createToken('ann')
  const shareToken = await shareRoadsPlaylist(annToken)
  await postJson(annToken, '/favorite/add', { s: SECOND_SONG_ID })
  const { playlists, favorites } = (await getPath('/api/account/export', annToken)).json().data
  const songs = [FIRST_SONG_ID, OTHER_SONG_ID, FIRST_SONG_ID].map((s) => ({ s, at: formatIsoTime(START_MS) }))
  expect(playlists).toEqual([{ title: 'Roads', description: 'For <b>driving</b>', created: formatIsoTime(START_MS), songs }])
  expect(favorites).toMatchObject([{ s: SECOND_SONG_ID }])
  expect(await postJson(annToken, '/account/delete', {})).toMatchObject({ code: 200 })
  expect((await getPath(`/api/list/get?l=${shareToken}`)).json()).toEqual(NO_PLAYLIST)
})

it('the page of an own playlist is sent for every id, and is not indexed', async () => {
  const readPage = async (url: string) => {
    const { statusCode, body } = await getPath(url)
    return [statusCode, body.includes('<meta name="robots" content="noindex">'), body.includes('rel="canonical"')]
  }
  expect(await readPage(`/playlist?p=my-${createPlaylistId(1)}`)).toEqual([200, true, false])
  expect(await readPage('/playlist?p=nothing')).toEqual([404, true, false])
})

it('the page of a shared playlist has its title, picture and songs, is not indexed unless its owner allows it, and disappears immediately when it is made private', async () => {
  const annToken = await createToken('ann')
  const shareToken = await shareRoadsPlaylist(annToken)
  const url = `/list?l=${shareToken}`
  const pageResponse = await getPath(url)
  const headHtml = pageResponse.body
  expect([pageResponse.statusCode, pageResponse.headers['cache-control']]).toEqual([200, 'no-store, no-transform'])
  expect(headHtml).toContain('<title>Roads ·')
  expect(headHtml).toContain('<meta name="description" content="For &lt;b&gt;driving&lt;/b&gt;">')
  expect(headHtml).toContain('<meta name="robots" content="noindex">')
  expect(headHtml).toContain('<meta property="og:type" content="music.playlist">')
  const { result, error } = await openGraph({ html: headHtml })
  expect([error, result]).toEqual([
    false,
    expect.objectContaining({
      ogTitle: expect.stringMatching(/^Roads · /),
      ogDescription: 'For <b>driving</b>',
      ogType: 'music.playlist',
      ogUrl: expect.stringMatching(new RegExp(`/list\\?l=${shareToken}$`)),
      ogImage: [
        expect.objectContaining({ url: expect.stringMatching(new RegExp(`^http.*/img/og/list/${shareToken}\\.jpg$`)), width: '1200' }),
      ],
      twitterCard: 'summary_large_image',
    }),
  ])
  const jsonLd = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(headHtml)?.[1] ?? '')
  expect(jsonLd).toMatchObject({ '@type': 'MusicPlaylist', name: 'Roads', numTracks: 3, track: [{ name: 'Café del Mar' }, {}, {}] })
  const imagePath = new URL(jsonLd.image).pathname
  const pictureResponse = await getPath(imagePath)
  expect([pictureResponse.statusCode, pictureResponse.headers['content-type'], pictureResponse.headers['cache-control']]).toEqual([
    200,
    'image/jpeg',
    'no-store',
  ])

  await postJson(annToken, '/list/share', { l: createPlaylistId(1), share: true, indexed: true })
  expect((await getPath(url)).body).not.toContain('noindex')
  await postJson(annToken, '/list/sync', { changes: [createPlaylistChange({ at: formatIsoTime(nowMs + 1), title: 'Rails' })] })
  nowMs += 5
  expect((await getPath(url)).body).toContain('<title>Rails ·')
  await postJson(annToken, '/list/share', { l: createPlaylistId(1), share: false })
  for (const [urlPath, cacheControl] of [
    [url, 'no-store, no-transform'],
    [imagePath, 'no-store'],
  ] as const) {
    const { statusCode, headers } = await getPath(urlPath)
    expect([urlPath, statusCode, headers['cache-control']]).toEqual([urlPath, 404, cacheControl])
  }
  for (const address of ['/list', '/list?l=', '/list?l=x%00', `/list?l=${'A'.repeat(22)}`])
    expect((await getPath(address)).statusCode).toBe(404)
})
