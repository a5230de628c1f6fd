import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Brand } from '../../brands/brand.ts'
import { DRAWN_HEADER } from '../../contract/caches.ts'
import { ApiError } from '../../contract/errors.ts'
import { createBoundedQueue } from '../services/bounded-queue.ts'
import { artPalette, coverPixels, coverSvg } from '../services/covers.ts'
import { createHostBreaker } from '../services/host-breaker.ts'
import { ogPicture, sitePicture } from '../services/og-picture.ts'
import { createPictureCache } from '../services/picture-cache.ts'
import { createPictureFetch, type PictureFetch } from '../services/picture-fetch.ts'
import { createPictures } from '../services/pictures.ts'
import type { PictureKind, PictureSource, Storage } from '../storage/storage.ts'

export interface PicturesOptions {
  storage: Pick<Storage, 'pictures'>
  /** Pictures are kept in its folder `pictures`. */
  dataDir: string
  brandOf(request: FastifyRequest): Brand
  /** The id of the site's own video, whose thumbnail is sent although the catalogue may not name it. */
  introVideoOf?(request: FastifyRequest): Promise<string | undefined>
  /** How pictures are fetched from other hosts; by default from the internet. */
  fetchPicture?: PictureFetch
  nowMs?: () => number
  maxCacheBytes?: number
}

const WIDTHS = new Set(['160', '320', '640', '1280'])
/** Height over width, by what is shown. */
const RATIOS: Record<PictureKind, number> = { song: 9 / 16, playlist: 9 / 16, feed: 9 / 16, member: 1, supporter: 1 }
const isKind = (text: string): text is PictureKind => Object.hasOwn(RATIOS, text)

/** A page does not wait longer than this for a picture; a link's preview, which is fetched once, does. */
const PATIENCE_MS = 1_500
const OG_PATIENCE_MS = 5_000

const CACHE_BYTES = 512 * 1024 * 1024
const KEPT = 'public, max-age=604800, stale-while-revalidate=2592000'
const DRAWN_FOR_NOW = 'public, max-age=300'
const DRAWN_WHILE_FETCHING = 'no-store'
/** Nothing else is named for it, until the catalogue changes. */
const DRAWN = 'public, max-age=3600'
/** Songs stand in lists of thousands: up to this width pixels are sent, as a browser takes milliseconds of the page's own time for each SVG. */
const SONG_PIXELS_WIDTH = 320
/** Each takes a thread of those that read files, for milliseconds: with all of them taken, nothing else that is on the disk would be sent. */
const MAX_DRAWN_AT_ONCE = 2
const MAX_WAITING = 100
/** A drawing opened as a page can run and load nothing. */
const SVG_POLICY = "sandbox; default-src 'none'; style-src 'none'"

/** Where a picture may be found, best first: the one that the catalogue names, then the video's thumbnails. */
export function urlsOf(source: PictureSource): string[] {
  const thumbnails =
    source.songId === undefined ? [] : ['maxresdefault', 'hqdefault'].map((name) => `https://i.ytimg.com/vi/${source.songId}/${name}.jpg`)
  return source.url === undefined || source.url === '' ? thumbnails : [source.url, ...thumbnails]
}

const etagOf = (body: Buffer | string) => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

function send(request: FastifyRequest, reply: FastifyReply, body: Buffer | string, type: string, caching: string): FastifyReply {
  const etag = etagOf(body)
  reply.header('cache-control', caching).header('etag', etag).header('x-content-type-options', 'nosniff')
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type(type).send(body)
}

const notFound = () => new ApiError('not-found', 'There is no such picture.')

/** `/img/…`: every picture that pages show, from our own origin; a cover drawn from the id where there is none. */
export async function picturesRoutes(app: FastifyInstance, options: PicturesOptions): Promise<void> {
  const { storage, brandOf, nowMs = Date.now } = options
  const cache = createPictureCache({ dir: join(options.dataDir, 'pictures'), maxBytes: options.maxCacheBytes ?? CACHE_BYTES, nowMs })
  const draw = createBoundedQueue(MAX_DRAWN_AT_ONCE, MAX_WAITING)
  const pictures = createPictures({
    cache,
    fetchPicture: options.fetchPicture ?? createPictureFetch(),
    breaker: createHostBreaker({ nowMs }),
    draw,
    nowMs,
  })

  async function sourceOf(kind: PictureKind, id: string): Promise<PictureSource> {
    const source = await storage.pictures.source(kind, id)
    if (source === undefined) throw notFound()
    return source
  }

  app.get<{ Params: { kind: string; id: string; width: string } }>('/img/:kind/:id/:width', async (request, reply) => {
    const { kind, id, width: widthText } = request.params
    if (!isKind(kind) || !WIDTHS.has(widthText)) throw notFound()
    const isIntro = kind === 'song' && id === (await options.introVideoOf?.(request))
    const source = isIntro ? { songId: id } : await sourceOf(kind, id)
    const width = Number(widthText)
    const height = Math.round(width * RATIOS[kind])
    const urls = urlsOf(source)
    reply.header('vary', 'Accept')
    const format = /image\/webp/.test(request.headers.accept ?? '') ? 'webp' : 'jpeg'
    let caching = DRAWN
    if (urls.length > 0) {
      const picture = await pictures.get(urls, { width, height, format }, PATIENCE_MS)
      if (picture instanceof Buffer) return send(request, reply, picture, `image/${format}`, KEPT)
      caching = picture === 'pending' ? DRAWN_WHILE_FETCHING : DRAWN_FOR_NOW
    }
    reply.header(DRAWN_HEADER, 'yes')
    const svg = coverSvg(id, artPalette(brandOf(request)), { width, height })
    if (kind === 'song' && width <= SONG_PIXELS_WIDTH) {
      const pixels = await kept(`drawn ${etagOf(svg)} ${format}`, () => coverPixels(svg, format))
      if (pixels !== undefined) return send(request, reply, pixels, `image/${format}`, caching)
      // Too many wait for theirs: the drawing itself costs the server next to nothing.
      caching = DRAWN_WHILE_FETCHING
    }
    reply.header('content-security-policy', SVG_POLICY)
    return send(request, reply, svg, 'image/svg+xml; charset=utf-8', caching)
  })

  /** What is kept under `key`, as making it takes longer than sending it; `undefined` where too many wait for theirs. */
  async function kept(key: string, make: () => Promise<Buffer>): Promise<Buffer | undefined> {
    const before = await cache.get(key)
    if (before !== undefined) return before
    return draw(async () => {
      // Made for somebody before, while this one waited.
      const now = await cache.get(key)
      if (now !== undefined) return now
      const body = await make()
      await cache.put(key, body)
      return body
    })
  }

  function sendPreview(request: FastifyRequest, reply: FastifyReply, body: Buffer | undefined, caching: string): FastifyReply {
    if (body === undefined) throw new ApiError('unavailable', 'Too many pictures are asked for. Please try again later.')
    return send(request, reply, body, 'image/jpeg', caching)
  }

  app.get('/img/og/site.jpg', async (request, reply) => {
    const brand = brandOf(request)
    return sendPreview(request, reply, await kept(`og site ${brand.id}`, () => sitePicture(brand)), DRAWN)
  })

  app.get<{ Params: { kind: string; file: string } }>('/img/og/:kind/:file', async (request, reply) => {
    const { kind, file } = request.params
    if ((kind !== 'song' && kind !== 'playlist') || !file.endsWith('.jpg')) throw notFound()
    const id = file.slice(0, -'.jpg'.length)
    const source = await sourceOf(kind, id)
    const brand = brandOf(request)
    const urls = urlsOf(source)
    const found = urls.length === 0 ? 'absent' : await pictures.get(urls, { width: 1280, height: 720, format: 'jpeg' }, OG_PATIENCE_MS)
    const picture = found instanceof Buffer ? found : undefined
    const key = picture === undefined ? 'drawn' : etagOf(picture)
    const body = await kept(`og ${kind} ${id} ${brand.id} ${key}`, () => ogPicture(brand, id, picture))
    return sendPreview(request, reply, body, picture === undefined ? DRAWN_FOR_NOW : KEPT)
  })
}
