import { CacheFirst } from 'workbox-strategies/CacheFirst.js'
import { StaleWhileRevalidate } from 'workbox-strategies/StaleWhileRevalidate.js'
import { Strategy } from 'workbox-strategies/Strategy.js'
import type { StrategyHandler } from 'workbox-strategies/StrategyHandler.js'
import { PINNED_PICTURES_CACHE, PLACEHOLDER_COVER_HEADER, SHOWN_PICTURES_CACHE } from '../contract/caches.ts'
import { createExpirationPlugin } from './expiration.ts'
import { isHtmlPage, isSiteFile } from './precache.ts'
import { isReplaceablePicture, listPicturePathsInOtherWidths } from './routes.ts'

const ASSETS_CACHE = 'assets-v1'
const SITE_FILES_CACHE = 'site-files-v1'
const MAX_CACHED_PICTURES = 800
const MAX_CACHED_ASSETS = 80
const MAX_CACHED_SITE_FILES = 30
/** Ignores `Vary: Accept`: image elements and `fetch` send different headers, but any cached image format can be used. */
const matchOptions: CacheQueryOptions = { ignoreVary: true }

/** Returns whether a response is a placeholder cover drawn by the server. Old cached responses lack the header, but are SVG. */
const isDrawnCover = ({ headers }: Response) =>
  headers.has(PLACEHOLDER_COVER_HEADER) || headers.get('content-type')?.startsWith('image/svg') === true

/**
 * Answers a picture request from the pictures of pinned playlists, then from pictures shown before, then from the network. A cached
 * placeholder cover, and a cached picture that the server may have replaced, are also fetched again. Without a network, another width of
 * the picture is used.
 */
class PictureStrategy extends Strategy {
  protected async _handle(request: Request, handler: StrategyHandler): Promise<Response> {
    const pinnedPictures = await caches.open(PINNED_PICTURES_CACHE)
    const pinnedPictureResponse = await pinnedPictures.match(request, matchOptions)
    if (pinnedPictureResponse !== undefined && !isDrawnCover(pinnedPictureResponse)) return pinnedPictureResponse
    const seenPicture = await handler.cacheMatch(request)
    if (seenPicture !== undefined) {
      if (isDrawnCover(seenPicture) || isReplaceablePicture(new URL(request.url).pathname))
        handler.waitUntil(this.fetchAndCache(request, handler).catch(() => undefined))
      return seenPicture
    }
    try {
      return await this.fetchAndCache(request, handler)
    } catch (error) {
      if (pinnedPictureResponse !== undefined) return pinnedPictureResponse
      const seenPictures = await caches.open(this.cacheName)
      for (const path of listPicturePathsInOtherWidths(new URL(request.url).pathname)) {
        const pictureInOtherWidth = (await pinnedPictures.match(path, matchOptions)) ?? (await seenPictures.match(path, matchOptions))
        if (pictureInOtherWidth !== undefined) return pictureInOtherWidth
      }
      throw error
    }
  }

  /** Rejects if the response is an HTML page: the login page of a captive portal or of a proxy is not a picture. */
  private async fetchAndCache(request: Request, handler: StrategyHandler): Promise<Response> {
    const response = await handler.fetch(request)
    if (isHtmlPage(response)) throw new TypeError(`${request.url}: the response is an HTML page`)
    const isPicture = response.headers.get('content-type')?.startsWith('image/')
    if (response.ok && isPicture) handler.waitUntil(handler.cachePut(request, response.clone()))
    return response
  }
}

const cacheOnlyFiles = {
  cacheWillUpdate: async ({ response }: { response: Response }) => (isSiteFile(response) ? response : null),
}

export const pictureStrategy = new PictureStrategy({
  cacheName: SHOWN_PICTURES_CACHE,
  matchOptions,
  plugins: [createExpirationPlugin({ cacheName: SHOWN_PICTURES_CACHE, maxEntries: MAX_CACHED_PICTURES, matchOptions })],
})

/** The cache of scripts and style sheets of older builds, which the server retains. */
export const assetStrategy = new CacheFirst({
  cacheName: ASSETS_CACHE,
  matchOptions,
  plugins: [cacheOnlyFiles, createExpirationPlugin({ cacheName: ASSETS_CACHE, maxEntries: MAX_CACHED_ASSETS, matchOptions })],
})

export const siteFileStrategy = new StaleWhileRevalidate({
  cacheName: SITE_FILES_CACHE,
  matchOptions,
  plugins: [cacheOnlyFiles, createExpirationPlugin({ cacheName: SITE_FILES_CACHE, maxEntries: MAX_CACHED_SITE_FILES, matchOptions })],
})
