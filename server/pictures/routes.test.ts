import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBrandOfHost } from '../../brands/registry.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Song } from '../../contract/song.ts'
import { createPictureQueues } from './drawing.ts'
import { PictureFetchError } from './fetch.ts'
import { registerPictureRoutes } from './routes.ts'
import type { PictureKind, PictureSource } from './store.ts'

const pictureSources: Record<string, PictureSource> = {
  'song bM7SZ5SBzyY': { songId: 'bM7SZ5SBzyY' },
  'playlist named': { url: 'https://pictures.example/named.png', songId: 'bM7SZ5SBzyY' },
  'playlist songs': { songId: 'bM7SZ5SBzyY' },
  'playlist empty': {},
  'member UC é/1': {},
  'supporter aria': {},
  'feed 7': { url: 'https://pictures.example/feed.png' },
}

let dataDir: string
let app: FastifyInstance
let fetchedUrls: string[]
let sharedSongs: Song[]
let deliverPicture: (url: string) => Promise<Buffer>

const createPicture = (backgroundColour: string) =>
  sharp({ create: { width: 1280, height: 720, channels: 3, background: backgroundColour } })
    .png()
    .toBuffer()

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'picture-routes-'))
  fetchedUrls = []
  sharedSongs = []
  deliverPicture = () => createPicture('#2244cc')
  app = fastify({ routerOptions: { maxParamLength: 300 } })
  app.setErrorHandler((error, _request, reply) => reply.code(error instanceof ApiError ? error.code : 500).send(String(error)))
  await app.register(registerPictureRoutes, {
    drawing: createPictureQueues(),
    storage: {
      pictures: { findSource: async (kind: PictureKind, id: string) => pictureSources[`${kind} ${id}`] },
      websites: { readPicture: async () => undefined },
      ownPlaylists: {
        findShared: async (token) =>
          token === SHARED_TOKEN ? { uid: 'ann', playlistId: 'list', title: 'x', description: '', isIndexed: false } : undefined,
        listSongs: async () => sharedSongs,
      },
    },
    dataDir,
    findBrand: (request) => findBrandOfHost(request.host),
    findMainHost: () => 'site.example',
    findIntroVideoId: async () => 'introVideo1',
    fetchPicture: (url) => {
      fetchedUrls.push(url)
      return deliverPicture(url)
    },
  })
})
afterEach(async () => {
  await app.close()
  await rm(dataDir, { recursive: true, force: true })
})

const SHARED_TOKEN = 'T'.repeat(22)
const createSong = (id: string): Song => ({
  ...{ youtube_id: id, youtube_url: '', title: id, author_name: '', category_id: '', category_name: '', date_added: '', new: 'false' },
})

const getPicture = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

describe('/img', () => {
  it('the thumbnail of the intro video is sent, even if the catalogue does not contain the video', async () => {
    expect((await getPicture('/img/song/introVideo1/640')).statusCode).toBe(200)
    expect((await getPicture('/img/song/introVideo2/640')).statusCode).toBe(404)
  })

  it('a song’s thumbnail is sent in the requested width and format', async () => {
    for (const [width, height] of [
      [160, 90],
      [320, 180],
      [640, 360],
      [1280, 720],
    ]) {
      const response = await getPicture(`/img/song/bM7SZ5SBzyY/${width}`, { accept: 'image/avif,image/webp,*/*' })
      const imageMetadata = await sharp(response.rawPayload).metadata()
      expect([
        response.statusCode,
        response.headers['content-type'],
        imageMetadata.format,
        imageMetadata.width,
        imageMetadata.height,
      ]).toEqual([200, 'image/webp', 'webp', width, height])
      expect(response.headers['cache-control']).toMatch(/max-age=604800/)
      expect(response.headers.vary).toBe('Accept')
      expect(response.headers).not.toHaveProperty('x-drawn-cover')
    }
    const plainResponse = await getPicture('/img/song/bM7SZ5SBzyY/320', { accept: 'image/*' })
    expect((await sharp(plainResponse.rawPayload).metadata()).format).toBe('jpeg')
    expect(fetchedUrls).toEqual(['https://i.ytimg.com/vi/bM7SZ5SBzyY/maxresdefault.jpg'])
  })

  it('if the large thumbnail is missing, the smaller one is sent', async () => {
    deliverPicture = (url) =>
      url.includes('maxres') ? Promise.reject(new PictureFetchError('gone', 'answered 404')) : createPicture('#2244cc')
    expect((await getPicture('/img/song/bM7SZ5SBzyY/320')).headers['content-type']).toBe('image/jpeg')
    expect(fetchedUrls).toHaveLength(2)
  })

  it('the picture of a playlist is that of the catalogue, or else that of its first song', async () => {
    await getPicture('/img/playlist/named/320')
    await getPicture('/img/playlist/songs/320')
    await getPicture('/img/feed/7/320')
    expect(fetchedUrls.map((url) => new URL(url).host)).toEqual(['pictures.example', 'i.ytimg.com', 'pictures.example'])
  })

  it('a picture that the catalogue can replace is cached for an hour, at an address with a version for a week', async () => {
    const readCacheControl = async (url: string) => (await getPicture(url)).headers['cache-control']
    expect(await readCacheControl('/img/playlist/named/320')).toBe('public, max-age=3600')
    for (const url of ['/img/playlist/named/1x2y/320', '/img/song/bM7SZ5SBzyY/320'])
      expect(await readCacheControl(url)).toContain('max-age=604800')
  })

  it('pictures are answered with 304 if the ETag matches', async () => {
    const { headers } = await getPicture('/img/song/bM7SZ5SBzyY/320')
    const repeatedResponse = await getPicture('/img/song/bM7SZ5SBzyY/320', { 'if-none-match': String(headers.etag) })
    expect([repeatedResponse.statusCode, repeatedResponse.body]).toEqual([304, ''])
  })

  it('if there is no picture, an SVG cover is drawn in the brand’s colours, with a policy that blocks scripts', async () => {
    const nightcoreCover = await getPicture('/img/playlist/empty/640')
    const slowedCover = await getPicture('/img/playlist/empty/640', { host: 'slowedreverb.localhost' })
    for (const response of [nightcoreCover, slowedCover]) {
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
      expect(response.headers['content-security-policy']).toMatch(/^sandbox;/)
      expect(response.headers['x-content-type-options']).toBe('nosniff')
      expect(response.headers).toHaveProperty('x-drawn-cover')
      expect(response.body).toMatch(/^<svg [^>]*width="640" height="360"/)
    }
    expect(nightcoreCover.body).not.toBe(slowedCover.body)
    const memberResponse = await getPicture(`/img/member/${encodeURIComponent('UC é/1')}/640`)
    expect(memberResponse.body).toMatch(/^<svg [^>]*width="640" height="640"/)
    const smallResponse = await getPicture(`/img/member/${encodeURIComponent('UC é/1')}/160`, { accept: 'image/webp' })
    expect(smallResponse.headers['content-type']).toBe('image/webp')
    expect(smallResponse.headers).toHaveProperty('x-drawn-cover')
    expect((await getPicture('/img/supporter/aria/160')).statusCode).toBe(200)
    expect(fetchedUrls).toEqual([])
  })

  it('without a network, a cover is drawn quickly and cached for a limited time', async () => {
    deliverPicture = () => Promise.reject(new PictureFetchError('unreachable', 'no network'))
    for (let requestIndex = 0; requestIndex < 10; requestIndex++) {
      const response = await getPicture('/img/song/bM7SZ5SBzyY/640')
      expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
      expect(response.headers['cache-control']).toBe('public, max-age=300')
    }
    expect(fetchedUrls.length).toBeLessThanOrEqual(3)
  })

  it('a song’s small cover is drawn as a deterministic bitmap in the brand’s colours', async () => {
    deliverPicture = () => Promise.reject(new PictureFetchError('unreachable', 'no network'))
    const bodyBuffers: Buffer[] = []
    for (const [width, acceptHeader, format] of [
      [160, 'image/webp,*/*', 'webp'],
      [320, 'image/webp,*/*', 'webp'],
      [160, 'image/*', 'jpeg'],
      [160, 'image/webp,*/*', 'webp'],
    ] as const) {
      const response = await getPicture(`/img/song/bM7SZ5SBzyY/${width}`, { accept: acceptHeader })
      const pictureInfo = await sharp(response.rawPayload).metadata()
      expect([response.headers['content-type'], pictureInfo.format, pictureInfo.width, pictureInfo.height]).toEqual([
        `image/${format}`,
        format,
        width,
        (width * 9) / 16,
      ])
      expect(response.headers['cache-control']).toBe('public, max-age=300')
      expect(response.headers.vary).toBe('Accept')
      expect(response.headers).toHaveProperty('x-drawn-cover')
      bodyBuffers.push(response.rawPayload)
    }
    expect(bodyBuffers[3]).toEqual(bodyBuffers[0])
    const otherFormat = await getPicture('/img/song/bM7SZ5SBzyY/160', { accept: 'image/webp,*/*', host: 'slowedreverb.localhost' })
    expect(otherFormat.rawPayload.equals(bodyBuffers[0] ?? Buffer.alloc(0))).toBe(false)
  })

  it('the number of concurrently drawn bitmaps is limited; further requests get the SVG, which is not cached', async () => {
    deliverPicture = () => Promise.reject(new PictureFetchError('unreachable', 'no network'))
    const floodIds = Array.from({ length: 300 }, (_, index) => `flood${String(index).padStart(6, '0')}`)
    for (const id of floodIds) pictureSources[`song ${id}`] = { url: '' }
    const floodResponses = await Promise.all(floodIds.map((id) => getPicture(`/img/song/${id}/160`)))
    expect(floodResponses.filter(({ statusCode }) => statusCode !== 200)).toEqual([])
    const drawnResponses = floodResponses.filter(({ headers }) => headers['content-type'] === 'image/svg+xml; charset=utf-8')
    expect(drawnResponses.length).toBeGreaterThan(0)
    expect(drawnResponses.length).toBeLessThan(floodIds.length)
    for (const { headers } of drawnResponses) {
      expect(headers['cache-control']).toBe('no-store')
      expect(headers).toHaveProperty('x-drawn-cover')
    }
    for (const id of floodIds) delete pictureSources[`song ${id}`]
  })

  it('while the source is slow, a drawn cover is sent without caching, and later the picture', async () => {
    let releaseFetch: () => void = () => {}
    const fetchReleased = new Promise<void>((resolve) => (releaseFetch = resolve))
    deliverPicture = () => fetchReleased.then(() => createPicture('#2244cc'))
    const earlyResponse = await getPicture('/img/song/bM7SZ5SBzyY/640')
    expect([earlyResponse.headers['content-type'], earlyResponse.headers['cache-control']]).toEqual([
      'image/svg+xml; charset=utf-8',
      'no-store',
    ])
    releaseFetch()
    const lateResponse = await getPicture('/img/song/bM7SZ5SBzyY/640')
    expect(lateResponse.headers['content-type']).toBe('image/jpeg')
    expect(fetchedUrls).toHaveLength(1)
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
    '/img/og/list/x.jpg',
    `/img/og/list/${SHARED_TOKEN}.png`,
    `/img/og/list/${'U'.repeat(22)}.jpg`,
  ])('the unknown picture %s is answered with 404', async (url) => {
    expect((await getPicture(url)).statusCode).toBe(404)
    expect(fetchedUrls).toEqual([])
  })
})

describe('/img/og', () => {
  it.each(['/img/og/site.jpg', '/img/og/song/bM7SZ5SBzyY.jpg', '/img/og/playlist/empty.jpg'])(
    'the link preview %s is a JPEG of 1200 x 630',
    async (url) => {
      for (const hostHeader of ['localhost', 'slowedreverb.localhost']) {
        const response = await getPicture(url, { host: hostHeader })
        const info = await sharp(response.rawPayload).metadata()
        expect([response.headers['content-type'], info.format, info.width, info.height]).toEqual(['image/jpeg', 'jpeg', 1200, 630])
      }
    },
  )

  it('a link preview with the picture of its item is cached for a long time, and one without the picture only briefly', async () => {
    deliverPicture = () => Promise.reject(new PictureFetchError('unreachable', 'no network'))
    const drawnPicture = await getPicture('/img/og/song/bM7SZ5SBzyY.jpg')
    expect(drawnPicture.headers['cache-control']).toBe('public, max-age=300')
    deliverPicture = () => createPicture('#00ff00')
    const response = await getPicture('/img/og/song/bM7SZ5SBzyY.jpg')
    const middlePixels = await sharp(response.rawPayload).extract({ left: 600, top: 315, width: 1, height: 1 }).raw().toBuffer()
    expect(middlePixels[1]).toBeGreaterThan(240)
    expect(response.headers['cache-control']).toMatch(/max-age=604800/)
  })

  it('the picture of a shared playlist is a mosaic of the first four different covers, or the first cover, and no cache stores it', async () => {
    const cornerColours = ['#ff0000', '#00ff00', '#0000ff', '#ffffff']
    deliverPicture = (url) => createPicture(cornerColours[Number(/song(\d)/.exec(url)?.[1])] ?? '#000000')
    const readPicture = async () => {
      const { headers, rawPayload } = await getPicture(`/img/og/list/${SHARED_TOKEN}.jpg`)
      const pictureInfo = await sharp(rawPayload).metadata()
      expect([headers['cache-control'], pictureInfo.format, pictureInfo.width, pictureInfo.height]).toEqual(['no-store', 'jpeg', 1200, 630])
      const readPixelAt = async (leftPx: number, topPx: number) => {
        const pixel = await sharp(rawPayload).extract({ left: leftPx, top: topPx, width: 1, height: 1 }).raw().toBuffer()
        return [...pixel].map((value) => (value > 127 ? 'f' : '0')).join('')
      }
      return Promise.all([readPixelAt(300, 150), readPixelAt(900, 150), readPixelAt(300, 450), readPixelAt(900, 450)])
    }
    await readPicture()
    sharedSongs = ['song0', 'song1', 'song0'].map(createSong)
    expect(await readPicture()).toEqual(['f00', 'f00', 'f00', 'f00'])
    sharedSongs = ['song0', 'song1', 'song0', 'song2', 'song3', 'song4'].map(createSong)
    expect(await readPicture()).toEqual(['f00', '0f0', '00f', 'fff'])
  })
})
