import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { brandOfHost } from '../../brands/registry.ts'
import { ApiError } from '../../contract/errors.ts'
import { PictureFetchError } from '../services/picture-fetch.ts'
import type { PictureKind, PictureSource } from '../storage/storage.ts'
import { picturesRoutes } from './pictures.ts'

const things: Record<string, PictureSource> = {
  'song bM7SZ5SBzyY': { songId: 'bM7SZ5SBzyY' },
  'playlist named': { url: 'https://pictures.example/named.png', songId: 'bM7SZ5SBzyY' },
  'playlist songs': { songId: 'bM7SZ5SBzyY' },
  'playlist empty': {},
  'member UC é/1': {},
  'supporter aria': {},
  'feed 7': { url: 'https://pictures.example/feed.png' },
}

let dir: string
let app: FastifyInstance
let fetched: string[]
let deliver: (url: string) => Promise<Buffer>

const picture = (background: string) =>
  sharp({ create: { width: 1280, height: 720, channels: 3, background } })
    .png()
    .toBuffer()

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'picture-routes-'))
  fetched = []
  deliver = () => picture('#2244cc')
  app = fastify({ routerOptions: { maxParamLength: 300 } })
  app.setErrorHandler((error, _request, reply) => reply.code(error instanceof ApiError ? error.code : 500).send(String(error)))
  await app.register(picturesRoutes, {
    storage: { pictures: { source: async (kind: PictureKind, id: string) => things[`${kind} ${id}`] } },
    dataDir: dir,
    brandOf: (request) => brandOfHost(request.host),
    introVideoOf: async () => 'introVideo1',
    fetchPicture: (url) => {
      fetched.push(url)
      return deliver(url)
    },
  })
})
afterEach(async () => {
  await app.close()
  await rm(dir, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

describe('/img', () => {
  it("sends the thumbnail of the site's own video, which no catalogue needs to name", async () => {
    expect((await get('/img/song/introVideo1/640')).statusCode).toBe(200)
    expect((await get('/img/song/introVideo2/640')).statusCode).toBe(404)
  })

  it("sends a song's thumbnail in the width and the format that is asked for", async () => {
    for (const [width, height] of [
      [160, 90],
      [320, 180],
      [640, 360],
      [1280, 720],
    ]) {
      const answer = await get(`/img/song/bM7SZ5SBzyY/${width}`, { accept: 'image/avif,image/webp,*/*' })
      const info = await sharp(answer.rawPayload).metadata()
      expect([answer.statusCode, answer.headers['content-type'], info.format, info.width, info.height]).toEqual([
        200,
        'image/webp',
        'webp',
        width,
        height,
      ])
      expect(answer.headers['cache-control']).toMatch(/max-age=604800/)
      expect(answer.headers.vary).toBe('Accept')
      expect(answer.headers).not.toHaveProperty('x-drawn-cover')
    }
    const plain = await get('/img/song/bM7SZ5SBzyY/320', { accept: 'image/*' })
    expect((await sharp(plain.rawPayload).metadata()).format).toBe('jpeg')
    expect(fetched).toEqual(['https://i.ytimg.com/vi/bM7SZ5SBzyY/maxresdefault.jpg'])
  })

  it('falls back to the smaller thumbnail', async () => {
    deliver = (url) => (url.includes('maxres') ? Promise.reject(new PictureFetchError('gone', 'answered 404')) : picture('#2244cc'))
    expect((await get('/img/song/bM7SZ5SBzyY/320')).headers['content-type']).toBe('image/jpeg')
    expect(fetched).toHaveLength(2)
  })

  it("takes the picture that the catalogue names, else the first song's", async () => {
    await get('/img/playlist/named/320')
    await get('/img/playlist/songs/320')
    await get('/img/feed/7/320')
    expect(fetched.map((url) => new URL(url).host)).toEqual(['pictures.example', 'i.ytimg.com', 'pictures.example'])
  })

  it('answers 304 to who has it already', async () => {
    const { headers } = await get('/img/song/bM7SZ5SBzyY/320')
    const again = await get('/img/song/bM7SZ5SBzyY/320', { 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it("draws a cover where there is none, in the brand's light, that runs nothing", async () => {
    const night = await get('/img/playlist/empty/640')
    const slow = await get('/img/playlist/empty/640', { host: 'slowedreverb.localhost' })
    for (const answer of [night, slow]) {
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
      expect(answer.headers['content-security-policy']).toMatch(/^sandbox;/)
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      expect(answer.headers).toHaveProperty('x-drawn-cover')
      expect(answer.body).toMatch(/^<svg [^>]*width="640" height="360"/)
    }
    expect(night.body).not.toBe(slow.body)
    const member = await get(`/img/member/${encodeURIComponent('UC é/1')}/160`)
    expect(member.body).toMatch(/^<svg [^>]*width="160" height="160"/)
    expect((await get('/img/supporter/aria/160')).statusCode).toBe(200)
    expect(fetched).toEqual([])
  })

  it('draws a cover without a network, quickly, and does not let it be kept for long', async () => {
    deliver = () => Promise.reject(new PictureFetchError('unreachable', 'no network'))
    for (let time = 0; time < 10; time++) {
      const answer = await get('/img/song/bM7SZ5SBzyY/640')
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
      expect(answer.headers['cache-control']).toBe('public, max-age=300')
    }
    expect(fetched.length).toBeLessThanOrEqual(3)
  })

  it("draws a song's cover in pixels where lists of thousands show it, the same each time, in the brand's light", async () => {
    deliver = () => Promise.reject(new PictureFetchError('unreachable', 'no network'))
    const bodies: Buffer[] = []
    for (const [width, accept, format] of [
      [160, 'image/webp,*/*', 'webp'],
      [320, 'image/webp,*/*', 'webp'],
      [160, 'image/*', 'jpeg'],
      [160, 'image/webp,*/*', 'webp'],
    ] as const) {
      const answer = await get(`/img/song/bM7SZ5SBzyY/${width}`, { accept })
      const info = await sharp(answer.rawPayload).metadata()
      expect([answer.headers['content-type'], info.format, info.width, info.height]).toEqual([
        `image/${format}`,
        format,
        width,
        (width * 9) / 16,
      ])
      expect(answer.headers['cache-control']).toBe('public, max-age=300')
      expect(answer.headers.vary).toBe('Accept')
      expect(answer.headers).toHaveProperty('x-drawn-cover')
      bodies.push(answer.rawPayload)
    }
    expect(bodies[3]).toEqual(bodies[0])
    const other = await get('/img/song/bM7SZ5SBzyY/160', { accept: 'image/webp,*/*', host: 'slowedreverb.localhost' })
    expect(other.rawPayload.equals(bodies[0] ?? Buffer.alloc(0))).toBe(false)
  })

  it('draws few covers at once: of a flood the rest get the drawing itself, not to be kept', async () => {
    deliver = () => Promise.reject(new PictureFetchError('unreachable', 'no network'))
    const flood = Array.from({ length: 300 }, (_, index) => `flood${String(index).padStart(6, '0')}`)
    for (const id of flood) things[`song ${id}`] = { url: '' }
    const answers = await Promise.all(flood.map((id) => get(`/img/song/${id}/160`)))
    expect(answers.filter(({ statusCode }) => statusCode !== 200)).toEqual([])
    const drawings = answers.filter(({ headers }) => headers['content-type'] === 'image/svg+xml; charset=utf-8')
    expect(drawings.length).toBeGreaterThan(0)
    expect(drawings.length).toBeLessThan(flood.length)
    for (const { headers } of drawings) {
      expect(headers['cache-control']).toBe('no-store')
      expect(headers).toHaveProperty('x-drawn-cover')
    }
    for (const id of flood) delete things[`song ${id}`]
  })

  it('draws a cover when the source is slow, not to be kept, and sends the picture later', async () => {
    let open: () => void = () => {}
    const gate = new Promise<void>((resolve) => (open = resolve))
    deliver = () => gate.then(() => picture('#2244cc'))
    const start = performance.now()
    const early = await get('/img/song/bM7SZ5SBzyY/640')
    expect(performance.now() - start).toBeLessThan(2_500)
    expect([early.headers['content-type'], early.headers['cache-control']]).toEqual(['image/svg+xml; charset=utf-8', 'no-store'])
    open()
    const late = await get('/img/song/bM7SZ5SBzyY/640')
    expect(late.headers['content-type']).toBe('image/jpeg')
    expect(fetched).toHaveLength(1)
  })

  it.each([
    '/img/song/aaaaaaaaaaa/320',
    '/img/song/bM7SZ5SBzyY/321',
    '/img/song/bM7SZ5SBzyY/0320',
    '/img/song/bM7SZ5SBzyY/320x',
    '/img/playlist/unknown/320',
    '/img/toString/x/320',
    '/img/song/..%2F..%2Fetc%2Fpasswd/320',
    '/img/og/song/aaaaaaaaaaa.jpg',
    '/img/og/song/bM7SZ5SBzyY.png',
    '/img/og/member/x.jpg',
  ])('knows no %s', async (url) => {
    expect((await get(url)).statusCode).toBe(404)
    expect(fetched).toEqual([])
  })
})

describe('/img/og', () => {
  it.each(['/img/og/site.jpg', '/img/og/song/bM7SZ5SBzyY.jpg', '/img/og/playlist/empty.jpg'])('%s is a JPEG of 1200 x 630', async (url) => {
    for (const host of ['localhost', 'slowedreverb.localhost']) {
      const answer = await get(url, { host })
      const info = await sharp(answer.rawPayload).metadata()
      expect([answer.headers['content-type'], info.format, info.width, info.height]).toEqual(['image/jpeg', 'jpeg', 1200, 630])
    }
  })

  it('holds the picture, and the art alone only for a short while', async () => {
    deliver = () => Promise.reject(new PictureFetchError('unreachable', 'no network'))
    const without = await get('/img/og/song/bM7SZ5SBzyY.jpg')
    expect(without.headers['cache-control']).toBe('public, max-age=300')
    deliver = () => picture('#00ff00')
    const answer = await get('/img/og/song/bM7SZ5SBzyY.jpg')
    const middle = await sharp(answer.rawPayload).extract({ left: 600, top: 315, width: 1, height: 1 }).raw().toBuffer()
    expect(middle[1]).toBeGreaterThan(240)
    expect(answer.headers['cache-control']).toMatch(/max-age=604800/)
  })
})
