import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { endpoints } from '../contract/endpoints.ts'
import { createTestApp, type TestApp } from './test-app.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

async function getApi(urlPath: string, headers: Record<string, string> = {}) {
  const response = await site.app.inject({ method: 'GET', url: `/api${urlPath}`, headers })
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}
async function postApi(urlPath: string, requestBody: Record<string, unknown>, headers: Record<string, string> = {}) {
  const response = await site.app.inject({ method: 'POST', url: `/api${urlPath}`, payload: requestBody, headers })
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}
const listSongIds = (songs: { youtube_id: string }[]) => songs.map((song) => song.youtube_id)

describe('the endpoint table', () => {
  it.each(Object.keys(endpoints))('%s is served and documented', async (endpointKey) => {
    const [httpMethod = '', urlPath = ''] = endpointKey.split(' ')
    expect(site.app.hasRoute({ method: httpMethod === 'GET' ? 'GET' : 'POST', url: `/api${urlPath}` })).toBe(true)
    const openApiDocument = (await site.app.inject('/api/docs/json')).json()
    expect(openApiDocument.openapi).toBe('3.1.0')
    expect(openApiDocument.paths[urlPath][httpMethod.toLowerCase()].summary).toBeTruthy()
  })
})

describe('songs', () => {
  it('GET /song/get returns a song with its neighbours in a playlist, by id and by URL', async () => {
    const responseById = await getApi('/song/get?s=AAAAAAAAAA2&p=night-drive')
    expect(responseById).toMatchObject({ status: 200, body: { code: 200, message: 'OK' } })
    expect(responseById.body.data).toMatchObject({
      next: 'AAAAAAAAAA3',
      previous: 'AAAAAAAAAA1',
      first_song: 'AAAAAAAAAA1',
      favorite: false,
    })
    const responseByUrl = await getApi(`/song/get?s=${encodeURIComponent('https://www.youtube.com/watch?v=AAAAAAAAAA2')}&p=night-drive`)
    expect(responseByUrl.body).toEqual(responseById.body)
  })

  it.each(['s=ZZZZZZZZZZZ', 's=not-an-id', 's=https://example.com/watch?v=AAAAAAAAAA2'])(
    'GET /song/get answers 404 for %s',
    async (searchQuery) => {
      const response = await getApi(`/song/get?${searchQuery}`)
      expect([response.status, response.body.code, response.body.data]).toEqual([404, 404, null])
    },
  )

  it('search finds songs by word prefix, ignores accents, and returns pages', async () => {
    expect(listSongIds((await getApi('/song/search?s=cafe')).body.data)).toEqual(['AAAAAAAAAA1'])
    expect(listSongIds((await getApi('/song/search?s=elan&type=artist&orderBy=date_added&orderDir=DESC')).body.data)).toEqual([
      'AAAAAAAAAA2',
      'AAAAAAAAAA1',
    ])
    expect(listSongIds((await getApi('/song/search?s=elan&limit=1&offset=1')).body.data)).toEqual(['AAAAAAAAAA2'])
    expect((await getApi('/song/search?s=!!!')).body.data).toEqual([])
  })

  it('related songs are listed, and the response is cached', async () => {
    const { body, headers } = await getApi('/song/related?s=AAAAAAAAAA1')
    expect(listSongIds(body.data)[0]).toBe('AAAAAAAAAA2')
    expect(listSongIds(body.data)).not.toContain('AAAAAAAAAA1')
    expect(headers['cache-control']).toBe('no-cache')
    expect((await getApi('/song/related?s=AAAAAAAAAA1&limit=1')).body.data).toHaveLength(1)
    const countExclusions = (songCount: number) =>
      listSongIds(body.data)
        .concat(Array.from({ length: songCount }, () => 'AAAAAAAAAA2'))
        .join(',')
    expect((await getApi(`/song/related?s=AAAAAAAAAA1&not=${countExclusions(0)}`)).body.data).toEqual([])
    expect((await getApi(`/song/related?s=AAAAAAAAAA1&not=${countExclusions(100)}`)).status).toBe(400)
    expect((await getApi('/song/related?s=ZZZZZZZZZZZ')).status).toBe(404)
    for (const query of ['', 's=AAAAAAAAAA1&limit=0', 's=AAAAAAAAAA1&limit=21'])
      expect((await getApi(`/song/related?${query}`)).status).toBe(400)
  })

  it('songs, artists and playlists are suggested, and the response is cached', async () => {
    const { body, headers } = await getApi('/search/suggest?s=elan')
    expect(listSongIds(body.data.songs)).toEqual(['AAAAAAAAAA1', 'AAAAAAAAAA2'])
    expect(body.data.artists).toEqual([{ name: 'Élan', song_count: 2 }])
    expect(headers['cache-control']).toBe('no-cache')
    expect((await getApi('/search/suggest?s=night')).body.data.playlists).toMatchObject([{ id: 'night-drive' }])
    expect((await getApi('/search/suggest?s=elan&limit=1')).body.data.songs).toHaveLength(1)
    expect((await getApi('/search/suggest?s=!!!')).body.data).toEqual({ songs: [], artists: [], playlists: [] })
    for (const query of ['', 's=', 's=a&limit=0', 's=a&limit=21']) expect((await getApi(`/search/suggest?${query}`)).status).toBe(400)
  })

  it('the endpoint for random songs does not return the excluded song', async () => {
    for (let round = 0; round < 20; round++) {
      const { body, headers } = await getApi('/song/random?p=rock&not=AAAAAAAAAA1')
      expect(body.data.youtube_id).toBe('BBBBBBBBBB1')
      expect(headers['cache-control']).toBe('no-store')
    }
    expect((await getApi('/song/random?p=no-such-context')).status).toBe(404)
  })

  it('a song in the context of the favorites requires a login', async () => {
    for (const path of ['/song/get?s=AAAAAAAAAA1&p=favorite', '/song/random?p=favorite']) {
      expect((await getApi(path)).body).toMatchObject({ code: 401, data: null })
      expect((await getApi(path, { authorization: 'Bearer nonsense' })).status).toBe(401)
    }
  })

  it('plays and reports are counted', async () => {
    expect((await postApi('/song/play', { s: 'AAAAAAAAAA1', p: 'night-drive' })).body).toEqual({ code: 200, message: 'OK', data: null })
    expect((await postApi('/song/play', { s: 'ZZZZZZZZZZZ' })).status).toBe(404)
    expect((await postApi('/song/play', { s: 'AAAAAAAAAA1', change_id: '7' })).body.message).toBe('change_id has the wrong format')
    expect((await postApi('/song/play', { s: 'AAAAAAAAAA1', played_at: 'noon' })).body.message).toBe('played_at has the wrong format')
    expect((await postApi('/song/unplayable', { s: 'AAAAAAAAAA1', reason: '150' })).status).toBe(200)
    expect((await postApi('/song/unplayable', { s: 'AAAAAAAAAA1' })).body.message).toBe('reason is required')
  })
})

describe('lists', () => {
  it('playlists are returned: all, those of the home page, and sorted by title', async () => {
    const allIds = (await getApi('/playlist/all?order=DESC')).body.data.map((playlist: { id: string }) => playlist.id)
    expect(allIds).toContain('night-drive')
    expect((await getApi('/playlist/all?order=ASC')).body.data.map((playlist: { id: string }) => playlist.id)).toEqual(
      [...allIds].reverse(),
    )
    const homeIds = (await getApi('/playlist/all?home=true')).body.data.map((playlist: { id: string }) => playlist.id)
    expect(homeIds).toContain('night-drive')
    expect(homeIds).not.toContain('empty')
    expect((await getApi('/playlist/explore')).body.data.length).toBeGreaterThan(0)
  })

  it('a playlist is returned with its songs, and so is a category', async () => {
    const { body } = await getApi('/playlist/get?p=night-drive')
    expect(body.data.playlist).toMatchObject({
      id: 'night-drive',
      image_url: expect.stringMatching(/^\/img\/playlist\/night-drive\/[a-z\d]+$/),
    })
    expect(listSongIds(body.data.songs)).toEqual(['AAAAAAAAAA1', 'AAAAAAAAAA2', 'AAAAAAAAAA3'])
    expect(listSongIds((await getApi('/playlist/get?p=rock')).body.data.songs)).toEqual(['BBBBBBBBBB1'])
    expect((await getApi('/playlist/get?p=nothing')).body).toMatchObject({ code: 404, data: null })
  })

  it('members, supporters and news are returned', async () => {
    expect((await getApi('/member/stats')).body.data).toMatchObject({ members: 1, subs: 10_000, views: 5 })
    expect((await getApi('/member/all?limit=10000')).body.data).toHaveLength(1)
    expect((await getApi('/member/testimonial')).body.data[0].testimonial).toBe('It is fine.')
    expect((await getApi('/subscriber/getsubscriberssite')).body.data[0].domain_name).toBe('aria')
    expect((await getApi('/feed/get')).body.data[0].content).not.toContain('script')
  })
})

describe('cached responses', () => {
  it('responses have the status 304 if the ETag matches, and 200 after a change', async () => {
    const url = '/song/get?s=AAAAAAAAAA1'
    const firstResponse = await site.app.inject(`/api${url}`)
    const firstEtag = String(firstResponse.headers.etag)
    const repeatedResponse = await site.app.inject({ url: `/api${url}`, headers: { 'if-none-match': firstEtag } })
    expect([repeatedResponse.statusCode, repeatedResponse.body]).toEqual([304, ''])
    expect((await site.app.inject({ url: `/api${url}`, headers: { 'if-none-match': '"other"' } })).statusCode).toBe(200)
  })

  it('a response is cached only if the URL has no parameters other than those of the endpoint', async () => {
    const getSongSpy = vi.spyOn(site.storage.songs, 'get')
    try {
      for (const query of ['s=AAAAAAAAAA2', 's=AAAAAAAAAA2&x=1', 's=AAAAAAAAAA2&utm_source=y']) {
        const answers = [await getApi(`/song/get?${query}`), await getApi(`/song/get?${query}`)]
        expect(answers.map(({ body }) => body.data?.youtube_id)).toEqual(['AAAAAAAAAA2', 'AAAAAAAAAA2'])
      }
      expect(getSongSpy).toHaveBeenCalledTimes(1 + 2 + 2)
    } finally {
      getSongSpy.mockRestore()
    }
  })

  it('responses are gzipped if the client accepts gzip', async () => {
    const url = '/api/site'
    const plainResponse = await site.app.inject(url)
    await site.app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
    await expect
      .poll(async () => (await site.app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } })).headers['content-encoding'])
      .toBe('gzip')
    expect((await site.app.inject({ url, headers: { 'accept-encoding': 'gzip;q=0' } })).body).toBe(plainResponse.body)
  })

  it('responses reflect a changed setting of their brand soon', async () => {
    expect((await getApi('/site')).body.data.settings.NAME).toBe('Nightcore Meridian')
    await site.storage.settings.set('NAME', 'Renamed', 'nightcore-meridian')
    await site.storage.settings.set('MAKER_SPEED', 'fast', undefined)
    await expect.poll(async () => (await getApi('/site')).body.data.settings.NAME).toBe('Renamed')
    expect((await getApi('/site')).body.data.settings.MAKER_SPEED).toBe(1.25)
    const otherSite = await getApi('/site', { host: 'slowedreverb.localhost:8080' })
    expect(otherSite.body.data).toMatchObject({ brand: 'slowed-reverb-meridian', main_url: 'http://slowedreverb.localhost:8080' })
    expect(otherSite.body.data.settings.NAME).toBe('Slowed Reverb Meridian')
    expect(site.readLog()).toContain('MAKER_SPEED')
    await site.storage.settings.set('NAME', undefined, 'nightcore-meridian')
    await site.storage.settings.set('MAKER_SPEED', undefined, undefined)
  })

  it('settings in responses never contain a link with a script URL', async () => {
    await site.storage.settings.set('FOOTER_LINKS', '[{"label":"x","url":"javascript:alert(1)"}]', undefined)
    await site.storage.settings.set('SOCIAL_X', 'javascript:alert(1)', undefined)
    await expect.poll(() => site.readLog().includes('SOCIAL_X') || getApi('/site').then(() => false)).toBe(true)
    expect(JSON.stringify((await getApi('/site')).body)).not.toContain('javascript:')
    await site.storage.settings.set('FOOTER_LINKS', undefined, undefined)
    await site.storage.settings.set('SOCIAL_X', undefined, undefined)
  })
})
