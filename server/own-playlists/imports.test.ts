import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp
let closePeer = async () => {}
afterEach(async () => {
  await site.close()
  await closePeer()
  closePeer = async () => {}
})

const postJson = async (urlPath: string, requestBody: object, token?: string) => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return (await site.app.inject({ method: 'POST', url: `/api${urlPath}`, headers, payload: requestBody })).json()
}

it('match: songs are found by id, or by a name with the same title and artist, without remarks and further artists', async () => {
  site = await createTestApp()
  const importedNames = [
    { title: 'Café del Mar', artist: 'Élan' },
    { title: 'Cafe Del Mar (Official Video) [HD]', artist: 'Elan, Somebody Else' },
    { title: 'Second Sun - 2011 Remastered Version', artist: 'Élan feat. Nobody' },
    { title: 'Sun' },
    { title: 'Stone', artist: 'Élan' },
    { title: 'Nothing of the kind', artist: 'Rocker' },
    { title: '\u2026', artist: 'Rocker' },
  ]
  const { data } = await postJson('/list/match', { ids: ['BBBBBBBBBB1', 'ZZZZZZZZZZZ', 'BBBBBBBBBB1', 'x'], names: importedNames })
  expect(data.found).toEqual(['AAAAAAAAAA1', 'AAAAAAAAAA1', 'AAAAAAAAAA2', '', '', '', ''])
  expect(data.songs.map((song: { youtube_id: string }) => song.youtube_id).sort()).toEqual(['AAAAAAAAAA1', 'AAAAAAAAAA2', 'BBBBBBBBBB1'])
  expect((await postJson('/list/match', {})).data).toEqual({ songs: [], found: [], takes_videos: false })
})

const PLAYLIST_ID = 'PLabcdefghijk'

/** Opens a site whose server asks a stand-in for the YouTube Data API, which has one playlist. */
async function openWithPeer(pageByUrl: Record<string, { items: unknown[]; nextPageToken?: string }>) {
  const requestedUrls: string[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://api')
    const listId = searchParams.get('id') ?? searchParams.get('playlistId')
    const pageToken = searchParams.get('pageToken') ?? ''
    requestedUrls.push(`${pathname} ${listId} ${pageToken}`)
    const playlist = { items: listId === PLAYLIST_ID ? [{ snippet: { title: 'Abroad' } }] : [] }
    const answer = pathname === '/playlists' ? playlist : pageByUrl[pageToken]
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closePeer = async () => {
    server.close()
    await once(server, 'close')
  }
  // The cast is safe, because the server listens on a port.
  const { port } = server.address() as AddressInfo
  site = await createTestApp({ YOUTUBE_API_KEY: 'key', YOUTUBE_API_BASE: `http://127.0.0.1:${port}` })
  const idToken = (await createSdkCalls(site).signUp('ann@example.com', 'secret-1')).json().idToken as string
  return {
    asked: requestedUrls,
    read: (url: string, page?: string) => postJson('/list/import-youtube', { url, ...(page !== undefined && { page }) }, idToken),
  }
}
const createVideoEntry = (videoId: string, videoTitle: string, videoOwnerChannelTitle?: string) => ({
  snippet: { title: videoTitle, videoOwnerChannelTitle },
  contentDetails: { videoId },
})

it("import: a playlist of YouTube is read in parts of five pages, and the catalogue's songs of each part are returned", async () => {
  const pageByToken = Object.fromEntries(
    Array.from({ length: 6 }, (_, songNumber) => [
      songNumber === 0 ? '' : `t${songNumber}`,
      {
        items: [createVideoEntry(songNumber === 0 ? 'AAAAAAAAAA1' : `ZZZZZZZZZZ${songNumber}`, `Video ${songNumber}`, 'Somebody')],
        ...(songNumber < 5 && { nextPageToken: `t${songNumber + 1}` }),
      },
    ]),
  )
  const { asked, read } = await openWithPeer(pageByToken)
  const firstImport = await read(`https://www.youtube.com/watch?v=AAAAAAAAAA1&list=${PLAYLIST_ID}`)
  expect(firstImport).toMatchObject({ code: 200, data: { title: 'Abroad', next: 't5' } })
  expect(firstImport.data.items).toHaveLength(5)
  expect(firstImport.data.items[0]).toEqual({ s: 'AAAAAAAAAA1', title: 'Video 0', author: 'Somebody' })
  expect(firstImport.data.songs).toMatchObject([{ youtube_id: 'AAAAAAAAAA1', title: 'Café del Mar' }])
  const second = await read(PLAYLIST_ID, firstImport.data.next)
  expect(second.data).toEqual({ title: 'Abroad', items: [{ s: 'ZZZZZZZZZZ5', title: 'Video 5', author: 'Somebody' }], songs: [] })
  expect(asked.slice(0, 3)).toEqual([`/playlists ${PLAYLIST_ID} `, `/playlistItems ${PLAYLIST_ID} `, `/playlistItems ${PLAYLIST_ID} t1`])
})

it('import: an address without a playlist, an unknown playlist, and an unexpected answer are refused with a message', async () => {
  const { asked, read } = await openWithPeer({ '': { items: [{ nothing: true }] } })
  for (const url of ['https://example.org/?list=PLabcdefghijk', 'https://www.youtube.com/watch?v=AAAAAAAAAA1', 'AAAAAAAAAA1', 'my list'])
    expect([url, await read(url)]).toEqual([url, { code: 400, message: 'url must be the address of a playlist at YouTube', data: null }])
  expect(asked).toEqual([])
  expect(await read('PLunknown1234')).toMatchObject({ code: 404, message: 'YouTube has no public playlist at this address.' })
  expect(await read(PLAYLIST_ID)).toMatchObject({ code: 503 })
  expect(await read(PLAYLIST_ID, 'nothing')).toMatchObject({ code: 404 })
})

it('import: without a key of the YouTube API, and without a login, no playlist is read', async () => {
  site = await createTestApp()
  const { idToken } = (await createSdkCalls(site).signUp('ann@example.com', 'secret-1')).json()
  expect(await postJson('/list/import-youtube', { url: PLAYLIST_ID }, idToken)).toMatchObject({
    code: 404,
    message: 'This site cannot ask YouTube for playlists. Please import a file.',
  })
  expect(await postJson('/list/import-youtube', { url: PLAYLIST_ID })).toMatchObject({ code: 401 })
})
