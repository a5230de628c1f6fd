import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { DAY_MS } from '../durations.ts'
import { computeEtag } from './etag.ts'

/** A complete response that can be sent many times. */
export interface CachedResponse {
  status: number
  /** Text if the body is small: Node sends it in one piece with the headers. */
  readonly body: Buffer | string
  /** The headers besides `etag`, `vary` and those of every response. Many responses share this object. */
  headers: Readonly<Record<string, string>>
  etag: string
  /** Whether clients that accept it get the gzipped body. */
  isCompressible: boolean
  /** The gzipped body, once it has been compressed. */
  gzippedBody?: Buffer
  /** Whether the compression of the body has been started. */
  gzipStarted?: boolean
}

const gzipAsync = promisify(gzip)
/** The length from which a body is compressed: a shorter one fits one network packet, so compression gains nothing. */
const GZIP_MIN_LENGTH = 1200

/** Creates a response with an ETag. */
export function createCachedResponse(statusCode: number, bodyText: string, headers: Readonly<Record<string, string>>): CachedResponse {
  const isCompressible = bodyText.length >= GZIP_MIN_LENGTH
  return {
    status: statusCode,
    body: isCompressible ? Buffer.from(bodyText) : bodyText,
    headers,
    etag: computeEtag(bodyText),
    isCompressible,
  }
}

async function compressResponse(response: CachedResponse): Promise<void> {
  if (response.gzipStarted || !response.isCompressible) return
  response.gzipStarted = true
  response.gzippedBody = await gzipAsync(response.body)
}

/** Starts to compress a response and returns immediately. The response is sent uncompressed until the gzipped body exists. */
export function compressInBackground(response: CachedResponse): void {
  compressResponse(response).catch(() => undefined)
}

export interface ReadCacheOptions {
  /** Returns the revision of the stored data. All cached responses are dropped when it changes. */
  getRevision: () => number
  nowMs: () => number
  ttlMs: number
  maxEntries: number
  /** The maximum total size of the bodies in the cache. A response that is compressed already counts with its compressed size. */
  maxBytes: number
}

const CACHE_KEY_MAX_LENGTH = 1100

/** Caches responses to GET requests by key (of site and URL), until the UTC day ends at the latest, and evicts the least recently used ones. */
export function createReadCache(options: ReadCacheOptions) {
  interface CacheEntry {
    response: CachedResponse
    expiresMs: number
  }
  // The size of a small entry, which limits the number of entries: the option `max` would allocate memory for all of them in advance.
  const minEntryBytes = Math.ceil(options.maxBytes / options.maxEntries)
  const entryByUrl = new LRUCache<string, CacheEntry>({
    maxSize: options.maxBytes,
    maxEntrySize: options.maxBytes / 8,
    sizeCalculation: ({ response }) => Math.max(minEntryBytes, (response.gzippedBody ?? response.body).length),
  })
  let dataRevision = options.getRevision()
  let hitCount = 0
  let missCount = 0

  function clearIfChanged(): void {
    const currentRevision = options.getRevision()
    if (currentRevision === dataRevision) return
    dataRevision = currentRevision
    entryByUrl.clear()
  }

  return {
    get(requestKey: string): CachedResponse | undefined {
      clearIfChanged()
      const cacheEntry = entryByUrl.get(requestKey)
      if (cacheEntry === undefined || cacheEntry.expiresMs <= options.nowMs()) {
        missCount++
        return undefined
      }
      hitCount++
      return cacheEntry.response
    },
    /** Returns a response even if it has expired, for the time in which the database cannot be reached. */
    peek: (key: string): CachedResponse | undefined => entryByUrl.peek(key)?.response,
    /** Stores a response, unless the data have changed since `readRevision`, which is the revision at the time when they were read. */
    set(requestKey: string, readRevision: number, response: CachedResponse): void {
      clearIfChanged()
      if (readRevision !== dataRevision || requestKey.length > CACHE_KEY_MAX_LENGTH) return
      const atMs = options.nowMs()
      const dayEndsMs = (Math.floor(atMs / DAY_MS) + 1) * DAY_MS
      entryByUrl.set(requestKey, { response, expiresMs: Math.min(atMs + options.ttlMs, dayEndsMs) })
    },
    size: () => entryByUrl.size,
    /** Returns how often `get` has found a response, and how often not, since the process started. */
    counts: () => ({ hits: hitCount, misses: missCount }),
  }
}
export type ReadCache = ReturnType<typeof createReadCache>
