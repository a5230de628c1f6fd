import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../test-app.ts'

const HOST = 'localhost:8080'
const PLAYLIST_ID = '11111111-0000-4000-8000-000000000001'

let site: TestApp
let shareToken = ''
beforeAll(async () => {
  site = await createTestApp()
  const { ownPlaylists } = site.storage
  const playlistEntries = ['AAAAAAAAAA1', 'BBBBBBBBBB1', 'AAAAAAAAAA1'].map((s, n) => ({ e: randomUUID(), s, position: `a${n}` }))
  const playlistChange = {
    id: randomUUID(),
    l: PLAYLIST_ID,
    at: '2026-03-01T12:00:00Z',
    device: randomUUID(),
    title: '"><b>Mine',
    entries: playlistEntries,
  }
  await ownPlaylists.sync('ann', { changes: [playlistChange] }, Date.now(), { newSinceMs: 0 })
  const outcome = await ownPlaylists.share('ann', PLAYLIST_ID, true, undefined)
  shareToken = typeof outcome === 'string' ? '' : outcome.token
})
afterAll(() => site.close())

const getPage = (url: string, host = HOST) => site.app.inject({ url, headers: { host } })
const getOembed = (url: string, more = '') => getPage(`/embed/oembed?url=${encodeURIComponent(url)}${more}`)

it('embed: the players of a song, a playlist and a shared playlist may be framed by any site, and run nothing but their own inline script', async () => {
  for (const url of ['/embed/song?s=AAAAAAAAAA1', '/embed/playlist?p=night-drive', `/embed/list?l=${shareToken}`]) {
    const { statusCode, headers, body } = await getPage(url)
    expect([url, statusCode, headers['x-frame-options']]).toEqual([url, 200, undefined])
    const policyDirectives = String(headers['content-security-policy']).split('; ')
    const computeSourceHash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    const scriptHashes = [...body.matchAll(/<script>(.*?)<\/script>/gs)].map((match) => computeSourceHash(match[1]))
    const styleHashes = [...body.matchAll(/<style>(.*?)<\/style>/gs)].map((match) => computeSourceHash(match[1]))
    expect(policyDirectives).toEqual(
      expect.arrayContaining(["default-src 'none'", 'frame-ancestors *', `script-src ${scriptHashes.join(' ')}`]),
    )
    expect(
      policyDirectives
        .find((each) => each.startsWith('style-src '))
        ?.split(' ')
        .slice(1)
        .toSorted(),
    ).toEqual(styleHashes.toSorted())
    expect(body).not.toContain('style="')
    expect(Buffer.byteLength(body)).toBeLessThan(60 * 1024)
  }
})

it('embed: a list has a button for each song, and its texts are escaped', async () => {
  const { body, headers } = await getPage(`/embed/list?l=${shareToken}`)
  expect([...body.matchAll(/<li><button type="button" value="([^"]*)"/g)].map((match) => match[1])).toEqual([
    'AAAAAAAAAA1',
    'BBBBBBBBBB1',
    'AAAAAAAAAA1',
  ])
  expect(body).toContain(`<a href="http://${HOST}/list?l=${shareToken}" target="_blank" rel="noopener">&quot;&gt;&lt;b&gt;Mine</a>`)
  expect(body).toContain('3 songs')
  expect(headers['cache-control']).toBe('no-store, no-transform')
  expect((await getPage('/embed/playlist?p=night-drive')).body).not.toContain('<script>alert')
  expect((await getPage('/embed/song?s=AAAAAAAAAA1')).body).not.toContain('<li>')
})

it('embed: the pages that oEmbed describes are those of songs, playlists and shared playlists', async () => {
  const song = await getOembed(`http://${HOST}/song?s=AAAAAAAAAA1&p=night-drive&shuffle`, '&format=json&maxwidth=300')
  expect(song.json()).toEqual({
    ...{
      version: '1.0',
      type: 'rich',
      title: 'Café del Mar',
      author_name: 'Élan',
      provider_name: expect.any(String),
      provider_url: `http://${HOST}/`,
    },
    ...{ thumbnail_url: `http://${HOST}/img/song/AAAAAAAAAA1/160`, thumbnail_width: 160, thumbnail_height: 90, width: 300, height: 360 },
    html: expect.stringMatching(
      /^<iframe src="http:\/\/localhost:8080\/embed\/song\?s=AAAAAAAAAA1" width="300" height="360" title="Café del Mar" /,
    ),
  })
  expect((await getOembed(`http://${HOST}/playlist?p=night-drive`)).json()).toMatchObject({ title: 'Night Drive', height: 520 })
  const list = await getOembed(`http://${HOST}/list?l=${shareToken}`)
  expect(list.json().html).toContain('title="&quot;&gt;&lt;b&gt;Mine"')
  expect(list.headers['cache-control']).toBe('no-store')
})

it('embed: the player and the picture that oEmbed describes are no larger than the requested maximum; where no player may be so small, it is a link', async () => {
  const songUrl = `http://${HOST}/song?s=AAAAAAAAAA1`
  expect((await getOembed(songUrl, '&maxwidth=320&maxheight=200')).json()).toMatchObject({
    ...{ type: 'rich', width: 320, height: 200, html: expect.stringContaining('width="320" height="200"') },
    ...{ thumbnail_url: `http://${HOST}/img/song/AAAAAAAAAA1/320`, thumbnail_width: 320, thumbnail_height: 180 },
  })
  for (const limit of ['&maxwidth=199', '&maxheight=199', '&maxwidth=1&maxheight=1']) {
    const { statusCode, json } = await getOembed(songUrl, limit)
    expect([limit, statusCode]).toEqual([limit, 200])
    const description: Record<string, unknown> = json()
    expect(description).toMatchObject({ type: 'link', title: 'Café del Mar', author_name: 'Élan' })
    for (const name of ['html', 'width', 'height', 'url']) expect(description).not.toHaveProperty(name)
  }
  expect((await getOembed(songUrl, '&maxwidth=199')).json()).toMatchObject({ thumbnail_width: 160, thumbnail_height: 90 })
  expect((await getOembed(songUrl, '&maxheight=80')).json()).not.toHaveProperty('thumbnail_url')
})

it('embed: a page whose song or list can be embedded links to its oEmbed description in the header Link and in its head; other pages do not', async () => {
  for (const urlPath of ['/song?s=AAAAAAAAAA1', '/playlist?p=night-drive', `/list?l=${shareToken}`]) {
    const { headers, body } = await getPage(urlPath)
    const [, url = ''] = /^<(.*)>; rel="alternate"; type="application\/json\+oembed"$/.exec(String(headers.link)) ?? []
    expect((await getPage(url.slice(`http://${HOST}`.length))).json()).toMatchObject({ type: 'rich' })
    const [, pageTitle] = /<title>(.*)<\/title>/.exec(body) ?? []
    const linkElement = `<link rel="alternate" type="application/json+oembed" title="${pageTitle}" href="${url.replaceAll('&', '&amp;')}">`
    expect(body.slice(0, body.indexOf('</head>'))).toContain(linkElement)
  }
  for (const path of ['/', '/search', '/song?s=ZZZZZZZZZZZ', `/playlist?p=my-${PLAYLIST_ID}`]) {
    const { headers, body } = await getPage(path)
    expect([path, headers.link, body.includes('application/json+oembed')]).toEqual([path, undefined, false])
  }
})

it('embed: a song or list that does not exist, is no longer shared, or is on another site is answered with 404', async () => {
  for (const url of [
    '/embed/song?s=ZZZZZZZZZZZ',
    '/embed/song',
    '/embed/playlist?p=nothing',
    '/embed/account?s=AAAAAAAAAA1',
    '/embed/list?l=x',
    '/embed',
    '/embed/song?s=a&s=b',
  ])
    expect([url, (await getPage(url)).statusCode]).toEqual([url, 404])
  for (const url of ['https://example.org/song?s=AAAAAAAAAA1', `http://${HOST}/account`, `http://${HOST}/song?s=ZZZZZZZZZZZ`, 'x', ''])
    expect([url, (await getOembed(url)).statusCode]).toEqual([url, 404])
  expect((await getOembed(`http://${HOST}/song?s=AAAAAAAAAA1`, '&format=xml')).statusCode).toBe(501)
  // A radio host answers with its only page.
  const radioResponse = await getPage('/embed/song?s=AAAAAAAAAA1', 'fm.localhost:8080')
  expect(radioResponse.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  // The embedded player shows an error message, and nothing of the requested song or list.
  const missingSong = await getPage('/embed/song?s=ZZZZZZZZZZZ')
  expect(missingSong.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store, no-transform' })
  expect(missingSong.headers['content-security-policy']).toContain('frame-ancestors *')
  expect(missingSong.body).toContain('Not available')
  expect(missingSong.body).not.toContain('ZZZZZZZZZZZ')
  await site.storage.ownPlaylists.share('ann', PLAYLIST_ID, false, undefined)
  for (const url of [`/embed/list?l=${shareToken}`, `/embed/oembed?url=${encodeURIComponent(`http://${HOST}/list?l=${shareToken}`)}`])
    expect((await getPage(url)).statusCode).toBe(404)
})
