import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Brand } from '../../brands/brand.ts'
import { PLACEHOLDER_COVER_HEADER } from '../../contract/caches.ts'
import { ApiError } from '../../contract/errors.ts'
import { isShareToken, pickMosaicSongIds } from '../../contract/own-playlist-rules.ts'
import { limitLargeResponseMemory } from '../http/large-responses.ts'
import type { Storage } from '../storage/open.ts'
import { BANNER_SCHEME } from './banner-scheme.ts'
import { createPictureCache } from './cache.ts'
import { createCoverPalette, renderCover, renderCoverSvg, renderInitialSvg } from './covers.ts'
import { DRAWING_RETRY_SECONDS, type PictureQueues } from './drawing.ts'
import { createPictureFetch, type PictureFetch, PictureFetchError } from './fetch.ts'
import { createHostBreaker } from './host-breaker.ts'
import { findInitial } from './lettering.ts'
import { renderMosaicPicture, renderOgPicture, renderSitePicture, renderWebsitePicture } from './og-picture.ts'
import { createPictureService } from './pictures.ts'
import type { PictureKind, PictureSource } from './store.ts'

export interface PicturesOptions {
  storage: Pick<Storage, 'pictures'> & {
    websites: Pick<Storage['websites'], 'readPicture'>
    ownPlaylists: Pick<Storage['ownPlaylists'], 'findShared' | 'listSongs'>
  }
  /** The server's data folder, whose folder `pictures` holds the picture cache. */
  dataDir: string
  findBrand(request: FastifyRequest): Brand
  /** Returns the host of the brand's main site, below which the websites of subscribers are. */
  findMainHost(request: FastifyRequest): string
  drawing: PictureQueues
  /** Returns the id of the site's intro video, whose thumbnail is served even if the catalogue does not contain the video. */
  findIntroVideoId?(request: FastifyRequest): Promise<string | undefined>
  /** Fetches pictures from other hosts; by default over the internet. */
  fetchPicture?: PictureFetch
  nowMs?: () => number
  maxCacheBytes?: number
}

const PICTURE_WIDTHS = new Set(['160', '320', '640', '1280'])
/** The aspect ratio (height / width) of pictures by kind. */
const ASPECT_RATIOS: Record<PictureKind, number> = {
  song: 9 / 16,
  playlist: 9 / 16,
  feed: 9 / 16,
  member: 1,
  supporter: 1,
  website: 5 / 16,
}
const isPictureKind = (text: string): text is PictureKind => Object.hasOwn(ASPECT_RATIOS, text)

/** How long a request waits for a picture that is being fetched. Link previews wait longer, since crawlers fetch them once. */
const PICTURE_TIMEOUT_MS = 1_500
const PREVIEW_TIMEOUT_MS = 5_000

const CACHE_MAX_BYTES = 512 * 1024 * 1024
const CACHE_PICTURE = 'public, max-age=604800, stale-while-revalidate=2592000'
/** The `Cache-Control` for pictures that the catalogue can replace, at an address without a version (`createPicturePath`). */
const CACHE_UNVERSIONED = 'public, max-age=3600'
const CACHE_AFTER_FAILURE = 'public, max-age=300'
const CACHE_WHILE_PENDING = 'no-store'
/** The `Cache-Control` for covers of items without a picture. The lifetime is long, because only a change of the catalogue can add a picture. */
const CACHE_DRAWN = 'public, max-age=3600'
/**
 * The `Cache-Control` for banners of websites. Owners can replace a banner, which keeps its address, so browsers have to revalidate it each time
 * and mostly get a 304.
 */
const CACHE_BANNER = 'no-cache'
/** The `Cache-Control` for pictures of shared playlists. The owner can revoke the playlist, so that no cache may store its picture. */
const CACHE_REVOCABLE = 'no-store'
/**
 * The number of songs at the start of a playlist that are searched for the covers of its mosaic: more than the covers, because a song may be in the
 * playlist more than once.
 */
const MOSAIC_SONG_COUNT = 24
/**
 * Drawn pictures of these kinds are sent as bitmaps up to this width, because long lists show many of them, and a browser takes milliseconds of its
 * main thread to rasterise each SVG.
 */
const BITMAP_KINDS: ReadonlySet<PictureKind> = new Set(['song', 'member'])
const BITMAP_WIDTH_MAX = 320
/** The Content Security Policy of SVG pictures: opened as a page, they can neither run nor load anything. */
const SVG_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'"

/** Returns the candidate URLs of a picture, best first: that of the catalogue, then the video's thumbnails. */
function listCandidateUrls(source: PictureSource): string[] {
  const thumbnails =
    source.songId === undefined ? [] : ['maxresdefault', 'hqdefault'].map((name) => `https://i.ytimg.com/vi/${source.songId}/${name}.jpg`)
  return source.url === undefined || source.url === '' ? thumbnails : [source.url, ...thumbnails]
}

const createEtag = (body: Buffer | string) => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  pictureBody: Buffer | string,
  contentType: string,
  cacheControl: string,
): FastifyReply {
  const etag = createEtag(pictureBody)
  reply.header('cache-control', cacheControl).header('etag', etag).header('x-content-type-options', 'nosniff')
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  limitLargeResponseMemory(request, reply, reply, pictureBody.length)
  return reply.type(contentType).send(pictureBody)
}

const createNotFoundError = () => new ApiError('not-found', 'There is no such picture.')

/** Registers `/img/…`: all pictures of the pages, served from the site's origin, with a cover drawn from the id as the fallback. */
export async function registerPictureRoutes(app: FastifyInstance, options: PicturesOptions): Promise<void> {
  const { storage, findBrand, findMainHost, drawing, nowMs = Date.now } = options
  // Other sites may embed the pictures, because link previews and feed readers do so.
  app.addHook('onRequest', async (_request, reply) => void reply.header('cross-origin-resource-policy', 'cross-origin'))
  const maxBytes = options.maxCacheBytes ?? CACHE_MAX_BYTES
  const pictureCache = createPictureCache({ dir: join(options.dataDir, 'pictures'), maxBytes, nowMs })
  const fetchRemote = options.fetchPicture ?? createPictureFetch()
  const readUpload = async (pictureHash: string) => {
    const picture = await storage.websites.readPicture(pictureHash)
    if (picture === undefined) throw new PictureFetchError('gone', 'the picture was replaced')
    return picture
  }
  const pictureService = createPictureService({
    cache: pictureCache,
    fetchPicture: async (url) => (url.startsWith(BANNER_SCHEME) ? readUpload(url.slice(BANNER_SCHEME.length)) : fetchRemote(url)),
    breaker: createHostBreaker({ nowMs }),
    drawing,
    nowMs,
  })

  async function findSourceOrThrow(kind: PictureKind, itemId: string): Promise<PictureSource> {
    const source = await storage.pictures.findSource(kind, itemId, nowMs())
    if (source === undefined) throw createNotFoundError()
    return source
  }

  interface PictureRoute {
    Params: { kind: string; id: string; version?: string; width: string }
  }
  app.get<PictureRoute>('/img/:kind/:id/:width', sendShownPicture)
  app.get<PictureRoute>('/img/:kind/:id/:version/:width', sendShownPicture)

  async function sendShownPicture(request: FastifyRequest<PictureRoute>, reply: FastifyReply): Promise<FastifyReply> {
    const { kind, id, version, width: widthText } = request.params
    if (!isPictureKind(kind) || !PICTURE_WIDTHS.has(widthText)) throw createNotFoundError()
    const isIntroVideo = kind === 'song' && id === (await options.findIntroVideoId?.(request))
    const source: PictureSource = isIntroVideo ? { songId: id } : await findSourceOrThrow(kind, id)
    const widthPx = Number(widthText)
    const heightPx = Math.round(widthPx * ASPECT_RATIOS[kind])
    const candidateUrls = listCandidateUrls(source)
    reply.header('vary', 'Accept')
    const imageFormat = /image\/webp/.test(request.headers.accept ?? '') ? 'webp' : 'jpeg'
    const isBannerPicture = kind === 'website'
    let cacheControl = isBannerPicture ? CACHE_BANNER : CACHE_DRAWN
    if (candidateUrls.length > 0) {
      const picture = await pictureService.get(candidateUrls, { width: widthPx, height: heightPx, format: imageFormat }, PICTURE_TIMEOUT_MS)
      if (picture instanceof Buffer) {
        const isConstantPicture = kind === 'song' || version !== undefined
        return sendPicture(
          request,
          reply,
          picture,
          `image/${imageFormat}`,
          isBannerPicture ? CACHE_BANNER : isConstantPicture ? CACHE_PICTURE : CACHE_UNVERSIONED,
        )
      }
      if (picture === 'pending') cacheControl = CACHE_WHILE_PENDING
      else if (!isBannerPicture) cacheControl = CACHE_AFTER_FAILURE
    }
    reply.header(PLACEHOLDER_COVER_HEADER, 'yes')
    const brandPalette = createCoverPalette(findBrand(request))
    const initialLetter = kind === 'supporter' && source.name !== undefined ? findInitial(source.name) : undefined
    const svg =
      initialLetter === undefined
        ? renderCoverSvg(id, brandPalette, { width: widthPx, height: heightPx }, source.contextNumber)
        : renderInitialSvg(initialLetter, id, brandPalette, widthPx)
    if (BITMAP_KINDS.has(kind) && widthPx <= BITMAP_WIDTH_MAX) {
      const coverBitmap = await getOrDraw(`drawn ${createEtag(svg)} ${imageFormat}`, () => renderCover(svg, imageFormat))
      if (coverBitmap !== undefined) return sendPicture(request, reply, coverBitmap, `image/${imageFormat}`, cacheControl)
      // Sends the SVG if the queue is full, because that costs almost nothing.
      cacheControl = CACHE_WHILE_PENDING
    }
    reply.header('content-security-policy', SVG_POLICY)
    return sendPicture(request, reply, svg, 'image/svg+xml; charset=utf-8', cacheControl)
  }

  /** Returns the cached picture for `pictureKey`, or creates and caches it. Returns undefined if the queue is full. */
  async function getOrDraw(pictureKey: string, createPicture: () => Promise<Buffer>): Promise<Buffer | undefined> {
    const cachedPicture = await pictureCache.get(pictureKey)
    if (cachedPicture !== undefined) return cachedPicture
    return drawing.draw(async () => {
      // Reads the cache again, because another request may have created the picture while this one waited.
      const createdPicture = await pictureCache.get(pictureKey)
      if (createdPicture !== undefined) return createdPicture
      const body = await createPicture()
      await pictureCache.put(pictureKey, body)
      return body
    })
  }

  function sendPreview(request: FastifyRequest, reply: FastifyReply, previewBytes: Buffer | undefined, cacheControl: string): FastifyReply {
    if (previewBytes === undefined)
      throw new ApiError('unavailable', 'Too many pictures are asked for. Please try again later.', DRAWING_RETRY_SECONDS)
    return sendPicture(request, reply, previewBytes, 'image/jpeg', cacheControl)
  }

  /** Returns the portrait of a website that visitors see; `undefined` if the website has no portrait, or if fetching it takes too long. */
  async function readPortrait(domainName: string): Promise<Buffer | undefined> {
    const pictureSource = await storage.pictures.findSource('supporter', domainName, nowMs())
    const candidateUrls = pictureSource === undefined ? [] : listCandidateUrls(pictureSource)
    if (candidateUrls.length === 0) return undefined
    const found = await pictureService.get(candidateUrls, { width: 320, height: 320, format: 'jpeg' }, PREVIEW_TIMEOUT_MS)
    return found instanceof Buffer ? found : undefined
  }

  app.get('/img/og/site.jpg', async (request, reply) => {
    const brand = findBrand(request)
    return sendPreview(request, reply, await getOrDraw(`og site ${brand.id}`, () => renderSitePicture(brand)), CACHE_DRAWN)
  })

  registerMosaics(app, {
    ownPlaylists: storage.ownPlaylists,
    readCover: async (songId) => {
      const found = await pictureService.get(listCandidateUrls({ songId }), { width: 640, height: 360, format: 'jpeg' }, PREVIEW_TIMEOUT_MS)
      return found instanceof Buffer ? found : undefined
    },
    sendMosaic: async (request, reply, pictureKey, drawMosaic) => {
      const brand = findBrand(request)
      return sendPreview(request, reply, await getOrDraw(`og list ${brand.id} ${pictureKey}`, () => drawMosaic(brand)), CACHE_REVOCABLE)
    },
  })

  app.get<{ Params: { kind: string; file: string } }>('/img/og/:kind/:file', async (request, reply) => {
    const { kind, file } = request.params
    if ((kind !== 'song' && kind !== 'playlist' && kind !== 'website') || !file.endsWith('.jpg')) throw createNotFoundError()
    const itemId = file.slice(0, -'.jpg'.length)
    const pictureSource = await findSourceOrThrow(kind, itemId)
    const brand = findBrand(request)
    const candidateUrls = listCandidateUrls(pictureSource)
    const foundPicture =
      candidateUrls.length === 0
        ? 'absent'
        : await pictureService.get(candidateUrls, { width: 1280, height: 720, format: 'jpeg' }, PREVIEW_TIMEOUT_MS)
    const picture = foundPicture instanceof Buffer ? foundPicture : undefined
    const portraitBytes = kind === 'website' ? await readPortrait(itemId) : undefined
    const coverKey = `${picture === undefined ? 'drawn' : createEtag(picture)} ${portraitBytes === undefined ? (pictureSource.contextNumber ?? '') : createEtag(portraitBytes)}`
    const cardTexts = { name: pictureSource.name ?? itemId, address: `${itemId}.${findMainHost(request)}` }
    const wordsKey = kind === 'website' ? JSON.stringify(cardTexts) : ''
    const pictureBytes = await getOrDraw(`og ${kind} ${itemId} ${brand.id} ${coverKey} ${wordsKey}`, () =>
      kind === 'website'
        ? renderWebsitePicture(brand, { id: itemId, ...cardTexts, banner: picture, portrait: portraitBytes })
        : renderOgPicture(brand, itemId, picture, pictureSource.contextNumber),
    )
    const cacheOfPicture = kind === 'song' ? CACHE_PICTURE : CACHE_UNVERSIONED
    const caching = kind === 'website' ? CACHE_BANNER : picture === undefined ? CACHE_AFTER_FAILURE : cacheOfPicture
    return sendPreview(request, reply, pictureBytes, caching)
  })
}

interface MosaicDeps {
  ownPlaylists: PicturesOptions['storage']['ownPlaylists']
  /** Returns the picture of a song's video; undefined if there is none, or fetching it takes too long. */
  readCover: (songId: string) => Promise<Buffer | undefined>
  /** Sends the picture that is cached for `key`, or draws it. */
  sendMosaic: (request: FastifyRequest, reply: FastifyReply, key: string, draw: (brand: Brand) => Promise<Buffer>) => Promise<FastifyReply>
}

/** Registers the Open Graph pictures of shared playlists. */
function registerMosaics(app: FastifyInstance, { ownPlaylists, readCover, sendMosaic }: MosaicDeps): void {
  app.get<{ Params: { file: string } }>('/img/og/list/:file', async (request, reply) => {
    const [shareToken = '', fileExtension] = request.params.file.split('.')
    const sharedPlaylist = fileExtension === 'jpg' && isShareToken(shareToken) ? await ownPlaylists.findShared(shareToken) : undefined
    if (sharedPlaylist === undefined) throw createNotFoundError()
    const { uid, playlistId } = sharedPlaylist
    const songs = await ownPlaylists.listSongs(uid, playlistId, { limit: MOSAIC_SONG_COUNT, offset: 0 }, { newSinceMs: 0 })
    const songIds = pickMosaicSongIds(songs, ({ youtube_id }) => youtube_id)
    const covers = await Promise.all(songIds.map(async (id) => ({ id, picture: await readCover(id) })))
    const key = covers.map(({ id, picture }) => (picture === undefined ? id : createEtag(picture))).join(' ')
    return sendMosaic(request, reply, key || playlistId, (brand) => renderMosaicPicture(brand, playlistId, covers))
  })
}
