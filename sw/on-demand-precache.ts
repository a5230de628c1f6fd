import { FETCH_TIMEOUT_MS, isSiteFile } from './precache.ts'

/** Name of the cache that contains the entry `ENABLED_URL`. The name must not change: devices already have this cache. */
const ENABLED_CACHE = 'later-parts-v1'
/** The cache entry with this URL exists once the maker was opened on this device. */
const ENABLED_URL = '/maker-was-opened'

interface OnDemandPrecacheDeps {
  /** The name of the cache of precached files, which also contains the previous build's files. */
  cacheName: string
  /** The absolute URLs of the files that are cached on demand. */
  urls: readonly string[]
}

/** Caches the maker's files, which are too large to precache for everyone, once a person has opened the maker. */
export function createOnDemandPrecache({ cacheName, urls }: OnDemandPrecacheDeps) {
  const urlSet = new Set(urls)
  let cachingPromise: Promise<void> | undefined

  async function fetchAndCache(url: string): Promise<Response> {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
    if (isSiteFile(response)) await (await caches.open(cacheName)).put(url, response.clone())
    return response
  }

  /** Fetches the files that are not cached yet. A failed file does not stop the others. */
  async function cacheMissing(): Promise<void> {
    const cache = await caches.open(cacheName)
    await Promise.allSettled(urls.map(async (url) => (await cache.match(url)) ?? fetchAndCache(url)))
  }

  function cacheAll(): Promise<void> {
    cachingPromise ??= cacheMissing().finally(() => {
      cachingPromise = undefined
    })
    return cachingPromise
  }

  return {
    has: (url: string) => urlSet.has(url),
    fetchAndCache,
    /** Caches the maker's files of this build, and records on the device that later builds must cache their files as well. */
    async enable(): Promise<void> {
      await (await caches.open(ENABLED_CACHE)).put(ENABLED_URL, new Response())
      await cacheAll()
    },
    /** Caches the maker's files of a new build if `enable` was called on this device by an earlier build. */
    async cacheIfEnabled(): Promise<void> {
      if (await (await caches.open(ENABLED_CACHE)).match(ENABLED_URL)) await cacheAll()
    },
  }
}
