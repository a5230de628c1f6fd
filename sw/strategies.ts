import type { WorkboxPlugin } from 'workbox-core/types.js'
import { ExpirationPlugin } from 'workbox-expiration/ExpirationPlugin.js'
import { CacheFirst } from 'workbox-strategies/CacheFirst.js'
import { StaleWhileRevalidate } from 'workbox-strategies/StaleWhileRevalidate.js'
import { Strategy } from 'workbox-strategies/Strategy.js'
import type { StrategyHandler } from 'workbox-strategies/StrategyHandler.js'
import { DRAWN_HEADER, KEPT_PICTURES, SEEN_PICTURES } from '../contract/caches.ts'
import { isProgram } from './precache.ts'
import { otherWidths } from './routes.ts'

const PICTURES_MAX = 800
const ASSETS_MAX = 80
const SITE_FILES_MAX = 30
/** The `Accept` header decides about the format, and differs between an image and a fetch. */
const matchOptions: CacheQueryOptions = { ignoreVary: true }

// Workbox's own types differ only by an optional member that may also be `undefined`.
const expiration = (maxEntries: number) => new ExpirationPlugin({ maxEntries, matchOptions, purgeOnQuotaError: true }) as WorkboxPlugin

/** Of what was kept before there was such a header, the drawings are what is drawn. */
const isDrawn = ({ headers }: Response) => headers.has(DRAWN_HEADER) || headers.get('content-type')?.startsWith('image/svg') === true

/**
 * Pictures: those that a person keeps, then those seen before, then the network. A drawn cover is shown at once and asked
 * for again, since a real picture may have come. Without a network, the same picture in another width will do.
 */
class PictureStrategy extends Strategy {
  protected async _handle(request: Request, handler: StrategyHandler): Promise<Response> {
    const keptPictures = await caches.open(KEPT_PICTURES)
    const kept = await keptPictures.match(request, matchOptions)
    if (kept !== undefined && !isDrawn(kept)) return kept
    const seen = await handler.cacheMatch(request)
    if (seen !== undefined) {
      if (isDrawn(seen)) handler.waitUntil(this.fetchAndKeep(request, handler).catch(() => undefined))
      return seen
    }
    try {
      return await this.fetchAndKeep(request, handler)
    } catch (error) {
      if (kept !== undefined) return kept
      const seenPictures = await caches.open(this.cacheName)
      for (const path of otherWidths(new URL(request.url).pathname)) {
        const other = (await keptPictures.match(path, matchOptions)) ?? (await seenPictures.match(path, matchOptions))
        if (other !== undefined) return other
      }
      throw error
    }
  }

  private async fetchAndKeep(request: Request, handler: StrategyHandler): Promise<Response> {
    const response = await handler.fetch(request)
    // A network's own log-in page is no picture.
    const isPicture = response.headers.get('content-type')?.startsWith('image/')
    if (response.ok && isPicture) handler.waitUntil(handler.cachePut(request, response.clone()))
    return response
  }
}

const onlyProgram = { cacheWillUpdate: async ({ response }: { response: Response }) => (isProgram(response) ? response : null) }
const onlyFound = { cacheWillUpdate: async ({ response }: { response: Response }) => (response.ok ? response : null) }

export const pictures = new PictureStrategy({ cacheName: SEEN_PICTURES, matchOptions, plugins: [expiration(PICTURES_MAX)] })

/** Files of older builds that the server still has. */
export const assets = new CacheFirst({ cacheName: 'assets-v1', matchOptions, plugins: [onlyProgram, expiration(ASSETS_MAX)] })

export const siteFiles = new StaleWhileRevalidate({
  cacheName: 'site-files-v1',
  matchOptions,
  plugins: [onlyFound, expiration(SITE_FILES_MAX)],
})
