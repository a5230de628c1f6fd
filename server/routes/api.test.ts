import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../contract/endpoints.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await site.app.inject({ method: 'GET', url: `/api${path}`, headers })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}
async function post(path: string, payload: Record<string, unknown>, headers: Record<string, string> = {}) {
  const answer = await site.app.inject({ method: 'POST', url: `/api${path}`, payload, headers })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}
const ids = (songs: { youtube_id: string }[]) => songs.map((song) => song.youtube_id)

describe('the endpoint table', () => {
  it.each(Object.keys(endpoints))('%s is served and documented', async (key) => {
    const [method = '', path = ''] = key.split(' ')
    expect(site.app.hasRoute({ method: method === 'GET' ? 'GET' : 'POST', url: `/api${path}` })).toBe(true)
    const document = (await site.app.inject('/api/docs/json')).json()
    expect(document.openapi).toBe('3.1.0')
    expect(document.paths[path][method.toLowerCase()].summary).toBeTruthy()
  })
})

describe('songs', () => {
  it('gives a song with its place in a playlist, by id and by URL', async () => {
    const byId = await get('/song/get?s=AAAAAAAAAA2&p=night-drive')
    expect(byId).toMatchObject({ status: 200, body: { code: 200, message: 'OK' } })
    expect(byId.body.data).toMatchObject({ next: 'AAAAAAAAAA3', previous: 'AAAAAAAAAA1', first_song: 'AAAAAAAAAA1', favorite: false })
    const byUrl = await get(`/song/get?s=${encodeURIComponent('https://www.youtube.com/watch?v=AAAAAAAAAA2')}&p=night-drive`)
    expect(byUrl.body).toEqual(byId.body)
  })

  it.each(['s=ZZZZZZZZZZZ', 's=not-an-id', 's=https://example.com/watch?v=AAAAAAAAAA2'])('answers 404 for %s', async (query) => {
    const answer = await get(`/song/get?${query}`)
    expect([answer.status, answer.body.code, answer.body.data]).toEqual([404, 404, null])
  })

  it('searches without accents, by word prefixes, in pages', async () => {
    expect(ids((await get('/song/search?s=cafe')).body.data)).toEqual(['AAAAAAAAAA1'])
    expect(ids((await get('/song/search?s=elan&type=artist&orderBy=date_added&orderDir=DESC')).body.data)).toEqual([
      'AAAAAAAAAA2',
      'AAAAAAAAAA1',
    ])
    expect(ids((await get('/song/search?s=elan&limit=1&offset=1')).body.data)).toEqual(['AAAAAAAAAA2'])
    expect((await get('/song/search?s=!!!')).body.data).toEqual([])
  })

  it('chooses at random, never the one that is not wanted', async () => {
    for (let round = 0; round < 20; round++) {
      const { body, headers } = await get('/song/random?p=rock&not=AAAAAAAAAA1')
      expect(body.data.youtube_id).toBe('BBBBBBBBBB1')
      expect(headers['cache-control']).toBe('no-store')
    }
    expect((await get('/song/random?p=no-such-context')).status).toBe(404)
  })

  it('asks for a log-in where favorites are the context', async () => {
    for (const path of ['/song/get?s=AAAAAAAAAA1&p=favorite', '/song/random?p=favorite']) {
      expect((await get(path)).body).toMatchObject({ code: 401, data: null })
      expect((await get(path, { authorization: 'Bearer nonsense' })).status).toBe(401)
    }
  })

  it('counts plays and reports', async () => {
    expect((await post('/song/play', { s: 'AAAAAAAAAA1', p: 'night-drive' })).body).toEqual({ code: 200, message: 'OK', data: null })
    expect((await post('/song/play', { s: 'ZZZZZZZZZZZ' })).status).toBe(404)
    expect((await post('/song/play', { s: 'AAAAAAAAAA1', change_id: '7' })).body.message).toBe('change_id has the wrong format')
    expect((await post('/song/play', { s: 'AAAAAAAAAA1', played_at: 'noon' })).body.message).toBe('played_at has the wrong format')
    expect((await post('/song/unplayable', { s: 'AAAAAAAAAA1', reason: '150' })).status).toBe(200)
    expect((await post('/song/unplayable', { s: 'AAAAAAAAAA1' })).body.message).toBe('reason is required')
  })
})

describe('lists', () => {
  it('gives playlists, those of the home page, and by title', async () => {
    const all = (await get('/playlist/all?order=DESC')).body.data.map((playlist: { id: string }) => playlist.id)
    expect(all).toContain('night-drive')
    expect((await get('/playlist/all?order=ASC')).body.data.map((playlist: { id: string }) => playlist.id)).toEqual([...all].reverse())
    const home = (await get('/playlist/all?home=true')).body.data.map((playlist: { id: string }) => playlist.id)
    expect(home).toContain('night-drive')
    expect(home).not.toContain('empty')
    expect((await get('/playlist/explore')).body.data.length).toBeGreaterThan(0)
  })

  it('gives a playlist with its songs, and a category as one', async () => {
    const { body } = await get('/playlist/get?p=night-drive')
    expect(body.data.playlist).toMatchObject({ id: 'night-drive', image_url: '/img/playlist/night-drive' })
    expect(ids(body.data.songs)).toEqual(['AAAAAAAAAA1', 'AAAAAAAAAA2', 'AAAAAAAAAA3'])
    expect(ids((await get('/playlist/get?p=rock')).body.data.songs)).toEqual(['BBBBBBBBBB1'])
    expect((await get('/playlist/get?p=nothing')).body).toMatchObject({ code: 404, data: null })
  })

  it('gives the community', async () => {
    expect((await get('/member/stats')).body.data).toMatchObject({ members: 1, subs: 10_000, views: 5 })
    expect((await get('/member/all?limit=10000')).body.data).toHaveLength(1)
    expect((await get('/member/testimonial')).body.data[0].testimonial).toBe('It is fine.')
    expect((await get('/subscriber/getsubscriberssite')).body.data[0].domain_name).toBe('aria')
    expect((await get('/feed/get')).body.data[0].content).not.toContain('script')
  })
})

describe('reads', () => {
  it('answer 304 to who has them, and anew after a change', async () => {
    const url = '/song/get?s=AAAAAAAAAA1'
    const first = await site.app.inject(`/api${url}`)
    const etag = String(first.headers.etag)
    const again = await site.app.inject({ url: `/api${url}`, headers: { 'if-none-match': etag } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await site.app.inject({ url: `/api${url}`, headers: { 'if-none-match': '"other"' } })).statusCode).toBe(200)
  })

  it('are packed for who takes it', async () => {
    const url = '/api/site'
    const plain = await site.app.inject(url)
    await site.app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
    await expect
      .poll(async () => (await site.app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } })).headers['content-encoding'])
      .toBe('gzip')
    expect((await site.app.inject({ url, headers: { 'accept-encoding': 'gzip;q=0' } })).body).toBe(plain.body)
  })

  it('follow the settings of their brand within a second', async () => {
    expect((await get('/site')).body.data.settings.NAME).toBe('Nightcore Meridian')
    await site.storage.settings.set('NAME', 'Renamed', 'nightcore-meridian')
    await site.storage.settings.set('MAKER_SPEED', 'fast', undefined)
    await expect.poll(async () => (await get('/site')).body.data.settings.NAME, { timeout: 1000 }).toBe('Renamed')
    expect((await get('/site')).body.data.settings.MAKER_SPEED).toBe(1.25)
    const other = await get('/site', { host: 'slowedreverb.localhost:8080' })
    expect(other.body.data).toMatchObject({ brand: 'slowed-reverb-meridian', main_url: 'http://slowedreverb.localhost:8080' })
    expect(other.body.data.settings.NAME).toBe('Slowed Reverb Meridian')
    expect(site.logged()).toContain('MAKER_SPEED')
    await site.storage.settings.set('NAME', undefined, 'nightcore-meridian')
    await site.storage.settings.set('MAKER_SPEED', undefined, undefined)
  })

  it('never lets a set link run a script', async () => {
    await site.storage.settings.set('FOOTER_LINKS', '[{"label":"x","url":"javascript:alert(1)"}]', undefined)
    await site.storage.settings.set('SOCIAL_X', 'javascript:alert(1)', undefined)
    await expect.poll(() => site.logged().includes('SOCIAL_X') || get('/site').then(() => false), { timeout: 1500 }).toBe(true)
    expect(JSON.stringify((await get('/site')).body)).not.toContain('javascript:')
    await site.storage.settings.set('FOOTER_LINKS', undefined, undefined)
    await site.storage.settings.set('SOCIAL_X', undefined, undefined)
  })
})
