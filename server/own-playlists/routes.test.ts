import { randomUUID } from 'node:crypto'
import openGraph from 'open-graph-scraper'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import { entryId, isoTime, playlistId } from './testing/changes.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const [FIRST_SONG_ID, SECOND_SONG_ID, OTHER_SONG_ID] = ['AAAAAAAAAA1', 'AAAAAAAAAA2', 'BBBBBBBBBB1'] as const
const NO_PLAYLIST = { code: 404, message: 'There is no such playlist.', data: null }

let site: TestApp
let nowMs = START_MS
beforeEach(async () => {
  nowMs = START_MS
  site = await createTestApp({}, { nowMs: () => nowMs })
})
afterEach(() => site.close())

const tokenOf = async (name: string) => (await createSdkCalls(site).signUp(`${name}@example.com`, 'secret-1')).json().idToken as string
const bearerHeader = (token: string | undefined) => (token === undefined ? {} : { authorization: `Bearer ${token}` })
const get = (path: string, token?: string) => site.app.inject({ url: path, headers: bearerHeader(token) })
const post = async (token: string | undefined, path: string, payload: Record<string, unknown>) =>
  (await site.app.inject({ method: 'POST', url: `/api${path}`, headers: bearerHeader(token), payload })).json()
const entriesOf = (...songs: string[]) => songs.map((s, n) => ({ e: entryId(n + 1), s, position: `a${n}` }))
const playlistChange = (fields: Record<string, unknown>) => ({
  ...{ id: randomUUID(), l: playlistId(1), at: isoTime(nowMs), device: '0b9a7c0e-4c2f-4f0e-8d3c-3d9c1f2a4b5c' },
  ...fields,
})
const roadsChange = () =>
  playlistChange({ title: 'Roads', description: 'For <b>driving</b>', entries: entriesOf(FIRST_SONG_ID, OTHER_SONG_ID, FIRST_SONG_ID) })
const shareRoads = async (ann: string, fields = {}) => {
  await post(ann, '/list/sync', { changes: [roadsChange()] })
  return (await post(ann, '/list/share', { l: playlistId(1), share: true, ...fields })).data.token as string
}

it("own playlists: sync requires a login, and returns only the playlists of the caller's account", async () => {
  const [ann, bob] = [await tokenOf('ann'), await tokenOf('bob')]
  const answer = await post(ann, '/list/sync', { changes: [roadsChange()] })
  expect(answer).toMatchObject({ code: 200, data: { whole: true, refused: [], playlists: [{ title: 'Roads' }] } })
  expect(answer.data.songs.map(({ title }: { title: string }) => title).sort()).toEqual(['Café del Mar', 'Stone'])
  expect((await post(bob, '/list/sync', { since: answer.data.cursor })).data).toMatchObject({ whole: true, playlists: [], entries: [] })
  expect(await post(undefined, '/list/sync', {})).toEqual({ code: 401, message: 'Please log in.', data: null })
})

it('own playlists: a call with more than 1,000 entries together is refused', async () => {
  const ann = await tokenOf('ann')
  const manyEntries = (count: number) => Array.from({ length: count }, (_, n) => ({ e: entryId(n), s: FIRST_SONG_ID, position: 'a' }))
  const call = (...counts: number[]) =>
    post(ann, '/list/sync', { changes: counts.map((count) => playlistChange({ title: 'Long', entries: manyEntries(count) })) })
  expect(await call(500, 500, 1)).toEqual({ code: 400, message: 'changes must have at most 1000 entries together', data: null })
  expect(await call(501)).toMatchObject({ code: 400 })
  expect(await call(500, 500)).toMatchObject({ code: 200, data: { refused: [] } })
  for (const position of ['', 'a b', '\u00e9', 'a'.repeat(101)])
    expect(
      await post(ann, '/list/sync', { changes: [playlistChange({ entries: [{ e: entryId(1), position }] })] }),
      position,
    ).toMatchObject({
      code: 400,
    })
})

it('own playlists: calls without changes do not count as writes', async () => {
  await site.close()
  site = await createTestApp({ RATE_LIMIT_WRITES: '2' }, { nowMs: () => nowMs })
  const ann = await tokenOf('ann')
  const codes: number[] = []
  for (let n = 0; n < 5; n++) codes.push((await post(ann, '/list/sync', {})).code)
  for (let n = 0; n < 3; n++) codes.push((await post(ann, '/list/sync', { changes: [playlistChange({ title: `${n}` })] })).code)
  expect(codes).toEqual([200, 200, 200, 200, 200, 200, 200, 429])
})

it('a shared playlist: everybody reads it by its token, and no answer may be stored', async () => {
  const ann = await tokenOf('ann')
  const token = await shareRoads(ann)
  const answer = await get(`/api/list/get?l=${token}&limit=2`)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.json().data).toMatchObject({ title: 'Roads', description: 'For <b>driving</b>', song_count: 3 })
  expect(answer.json().data.songs.map((song: { youtube_id: string }) => song.youtube_id)).toEqual([FIRST_SONG_ID, OTHER_SONG_ID])
  expect((await get(`/api/list/get?l=${token}&offset=2`)).json().data.songs).toMatchObject([{ youtube_id: FIRST_SONG_ID }])
  expect(answer.json().data).not.toHaveProperty('owner')
  for (const unknown of ['x', 'A'.repeat(22), playlistId(1), `${token}%00`]) {
    const { code } = (await get(`/api/list/get?l=${unknown}`)).json()
    expect([unknown, code < 500 && code >= 400]).toEqual([unknown, true])
  }
  await post(ann, '/list/share', { l: playlistId(1), share: false })
  const revoked = await get(`/api/list/get?l=${token}`)
  expect([revoked.json(), revoked.headers['cache-control']]).toEqual([NO_PLAYLIST, 'no-store'])
})

it("a shared playlist: the owner's website is named while visitors see it", async () => {
  const ann = await tokenOf('ann')
  const token = await shareRoads(ann)
  await site.storage.roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: undefined })
  await post(ann, '/website/activate', { domain_name: 'ann-sings' })
  expect((await get(`/api/list/get?l=${token}`)).json().data.owner).toBe('ann-sings')
  expect(
    await post(ann, '/website/save', { domain_name: 'ann-sings', name: 'Ann', youtube: 'https://www.youtube.com/@ann', enabled: 'no' }),
  ).toMatchObject({ code: 200 })
  expect((await get(`/api/list/get?l=${token}`)).json().data).not.toHaveProperty('owner')
})

const hideList = (token: string) =>
  site.storage.moderation.hideList(token, {
    act: { actor: 'admin', command: 'list hide', reason: 'Rude title', atMs: Date.now() },
    isDryRun: false,
  })

it('a shared playlist: visitors can report it, even if it is already hidden', async () => {
  const token = await shareRoads(await tokenOf('ann'))
  expect(await post(undefined, '/list/report', { l: token, reason: 'Spam' })).toMatchObject({ code: 200 })
  expect(await post(undefined, '/list/report', { l: token })).toMatchObject({ code: 400 })
  expect(await post(undefined, '/list/report', { l: 'x', reason: 'Spam' })).toEqual(NO_PLAYLIST)
  expect(await site.storage.moderation.listReports(9)).toMatchObject([{ target: `list ${token}`, title: 'Roads', reason: 'Spam' }])
  await hideList(token)
  expect((await get(`/api/list/get?l=${token}`)).json()).toEqual(NO_PLAYLIST)
  expect(await post(undefined, '/list/report', { l: token, reason: 'Spam' })).toMatchObject({ code: 200 })
})

it('sharing: an unknown playlist is answered with 404, and a hidden one with 403', async () => {
  const ann = await tokenOf('ann')
  const token = await shareRoads(ann, { indexed: true })
  expect(await post(ann, '/list/share', { l: playlistId(2), share: true })).toEqual(NO_PLAYLIST)
  expect(await post(await tokenOf('bob'), '/list/share', { l: playlistId(1), share: false })).toEqual(NO_PLAYLIST)
  await hideList(token)
  expect(await post(ann, '/list/share', { l: playlistId(1), share: true })).toMatchObject({ code: 403 })
  const { data } = await post(ann, '/list/sync', {})
  expect(data.playlists).toMatchObject([{ hidden: 'Rude title', share: { token, indexed: true } }])
})

it('own playlists: playlists are exported beside the favorites, and deleted with the account', async () => {
  const ann = await tokenOf('ann')
  const token = await shareRoads(ann)
  await post(ann, '/favorite/add', { s: SECOND_SONG_ID })
  const { playlists, favorites } = (await get('/api/account/export', ann)).json().data
  const songs = [FIRST_SONG_ID, OTHER_SONG_ID, FIRST_SONG_ID].map((s) => ({ s, at: isoTime(START_MS) }))
  expect(playlists).toEqual([{ title: 'Roads', description: 'For <b>driving</b>', created: isoTime(START_MS), songs }])
  expect(favorites).toMatchObject([{ s: SECOND_SONG_ID }])
  expect(await post(ann, '/account/delete', {})).toMatchObject({ code: 200 })
  expect((await get(`/api/list/get?l=${token}`)).json()).toEqual(NO_PLAYLIST)
})

it('the page of an own playlist is sent for every id, and is not indexed', async () => {
  const pageOf = async (url: string) => {
    const { statusCode, body } = await get(url)
    return [statusCode, body.includes('<meta name="robots" content="noindex">'), body.includes('rel="canonical"')]
  }
  expect(await pageOf(`/playlist?p=my-${playlistId(1)}`)).toEqual([200, true, false])
  expect(await pageOf('/playlist?p=nothing')).toEqual([404, true, false])
})

it('the page of a shared playlist has its title, picture and songs, is not indexed unless its owner allows it, and disappears immediately when it is made private', async () => {
  const ann = await tokenOf('ann')
  const token = await shareRoads(ann)
  const url = `/list?l=${token}`
  const pageResponse = await get(url)
  const head = pageResponse.body
  expect([pageResponse.statusCode, pageResponse.headers['cache-control']]).toEqual([200, 'no-store, no-transform'])
  expect(head).toContain('<title>Roads ·')
  expect(head).toContain('<meta name="description" content="For &lt;b&gt;driving&lt;/b&gt;">')
  expect(head).toContain('<meta name="robots" content="noindex">')
  expect(head).toContain('<meta property="og:type" content="music.playlist">')
  const { result, error } = await openGraph({ html: head })
  expect([error, result]).toEqual([
    false,
    expect.objectContaining({
      ogTitle: expect.stringMatching(/^Roads · /),
      ogDescription: 'For <b>driving</b>',
      ogType: 'music.playlist',
      ogUrl: expect.stringMatching(new RegExp(`/list\\?l=${token}$`)),
      ogImage: [expect.objectContaining({ url: expect.stringMatching(new RegExp(`^http.*/img/og/list/${token}\\.jpg$`)), width: '1200' })],
      twitterCard: 'summary_large_image',
    }),
  ])
  const jsonLd = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(head)?.[1] ?? '')
  expect(jsonLd).toMatchObject({ '@type': 'MusicPlaylist', name: 'Roads', numTracks: 3, track: [{ name: 'Café del Mar' }, {}, {}] })
  const image = new URL(jsonLd.image).pathname
  const pictureResponse = await get(image)
  expect([pictureResponse.statusCode, pictureResponse.headers['content-type'], pictureResponse.headers['cache-control']]).toEqual([
    200,
    'image/jpeg',
    'no-store',
  ])

  await post(ann, '/list/share', { l: playlistId(1), share: true, indexed: true })
  expect((await get(url)).body).not.toContain('noindex')
  await post(ann, '/list/sync', { changes: [playlistChange({ at: isoTime(nowMs + 1), title: 'Rails' })] })
  nowMs += 5
  expect((await get(url)).body).toContain('<title>Rails ·')
  await post(ann, '/list/share', { l: playlistId(1), share: false })
  for (const [urlPath, cacheControl] of [
    [url, 'no-store, no-transform'],
    [image, 'no-store'],
  ] as const) {
    const { statusCode, headers } = await get(urlPath)
    expect([urlPath, statusCode, headers['cache-control']]).toEqual([urlPath, 404, cacheControl])
  }
  for (const address of ['/list', '/list?l=', '/list?l=x%00', `/list?l=${'A'.repeat(22)}`])
    expect((await get(address)).statusCode).toBe(404)
})
