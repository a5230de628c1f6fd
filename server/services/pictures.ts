import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import { type BoundedQueue, createBoundedQueue } from './bounded-queue.ts'
import type { HostBreaker } from './host-breaker.ts'
import type { PictureCache } from './picture-cache.ts'
import { type PictureFetch, PictureFetchError } from './picture-fetch.ts'

export interface PictureShape {
  width: number
  height: number
  format: 'webp' | 'jpeg'
}

/** `pending`: the picture is still being fetched. `absent`: there is no picture for now. */
export type PictureResult = Buffer | 'pending' | 'absent'

export interface PicturesOptions {
  cache: PictureCache
  fetchPicture: PictureFetch
  breaker: HostBreaker
  /** The number of pictures that are converted at once, which limits CPU-bound work. */
  drawQueue: BoundedQueue
  nowMs?: () => number
  /** The time in milliseconds for which a failed URL is not fetched again. */
  failureMs?: number
}

export interface Pictures {
  /** Returns the first of `urls` that is a picture, cropped to `shape`. Waits at most `timeoutMs` if it is not cached. */
  get(urls: readonly string[], shape: PictureShape, timeoutMs: number): Promise<PictureResult>
}

const CACHED_WIDTH_MAX = 1280
const MAX_PIXELS = 40_000_000
const MAX_FETCHES = 6
const MAX_WAITING = 300
const FAILURES_MAX = 20_000

// sharp uses one thread per picture, which leaves capacity for other work, and no cache of its own, because pictures are cached on disk.
sharp.concurrency(1)
sharp.cache(false)

/** Detects bitmap formats by their magic numbers. Other formats, such as SVG and PDF, never reach a decoder. */
function isRaster(body: Buffer): boolean {
  const asciiAt = (from: number, to: number) => body.toString('latin1', from, to)
  return (
    (body[0] === 0xff && body[1] === 0xd8 && body[2] === 0xff) ||
    asciiAt(0, 8) === '\x89PNG\r\n\x1a\n' ||
    asciiAt(0, 4) === 'GIF8' ||
    (asciiAt(0, 4) === 'RIFF' && asciiAt(8, 12) === 'WEBP') ||
    (asciiAt(4, 8) === 'ftyp' && /^(avif|avis|mif1)/.test(asciiAt(8, 12)))
  )
}

/** Converts a fetched picture for the cache: first frame, rotated upright, at most 1280 pixels wide, without metadata. */
export async function makeMaster(body: Buffer): Promise<Buffer> {
  if (!isRaster(body)) throw new PictureFetchError('gone', 'not a picture')
  try {
    return await sharp(body, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .timeout({ seconds: 10 })
      .rotate()
      .resize({ width: CACHED_WIDTH_MAX, height: CACHED_WIDTH_MAX, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 88, effort: 2 })
      .toBuffer()
  } catch (error) {
    throw new PictureFetchError('gone', error instanceof Error ? error.message : 'not a picture')
  }
}

function cropPicture(master: Buffer, { width, height, format }: PictureShape): Promise<Buffer> {
  const sized = sharp(master).resize(width, height, { fit: 'cover' })
  return (format === 'webp' ? sized.webp({ quality: 76, effort: 3 }) : sized.flatten().jpeg({ quality: 80, mozjpeg: true })).toBuffer()
}

/** Pictures of other hosts: fetched once, cached on disk, cropped to the requested sizes. */
export function createPictures(options: PicturesOptions): Pictures {
  const { cache, fetchPicture, breaker, drawQueue, nowMs = Date.now, failureMs = 600_000 } = options
  const retryAtMs = new LRUCache<string, number>({ max: FAILURES_MAX })
  const runningFetches = new Map<string, Promise<Buffer | undefined>>()
  const enqueue = createBoundedQueue(MAX_FETCHES, MAX_WAITING)

  const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : '')
  const isFetchable = (url: string) => (retryAtMs.get(url) ?? 0) <= nowMs() && breaker.allows(hostOf(url))

  async function fetchMaster(url: string): Promise<Buffer | undefined> {
    try {
      const master = await makeMaster(await fetchPicture(url))
      breaker.recordSuccess(hostOf(url))
      return master
    } catch (error) {
      if (error instanceof PictureFetchError && error.kind === 'unreachable') {
        // Only failures of the host are counted, not those of a single picture.
        breaker.recordFailure(hostOf(url))
        return undefined
      }
      if (error instanceof PictureFetchError && error.kind === 'gone') breaker.recordSuccess(hostOf(url))
      retryAtMs.set(url, nowMs() + failureMs)
      return undefined
    }
  }

  /** Fetches a picture and caches it. Concurrent calls for the same picture share one fetch, which continues after their timeouts. */
  function masterOf(urls: readonly string[]): Promise<Buffer | undefined> {
    const id = urls.join(' ')
    const runningFetch = runningFetches.get(id)
    if (runningFetch !== undefined) return runningFetch
    const fetchTask = enqueue(async () => {
      for (const url of urls) {
        if (!isFetchable(url)) continue
        const master = await fetchMaster(url)
        if (master === undefined) continue
        await cache.put(`master ${id}`, master)
        return master
      }
      return undefined
    }).finally(() => runningFetches.delete(id))
    runningFetches.set(id, fetchTask)
    return fetchTask
  }

  return {
    async get(urls, shape, timeoutMs) {
      const id = urls.join(' ')
      const variant = `${shape.width}x${shape.height} ${shape.format} ${id}`
      const cachedVariant = await cache.get(variant)
      if (cachedVariant !== undefined) return cachedVariant
      let master = await cache.get(`master ${id}`)
      if (master === undefined) {
        if (!runningFetches.has(id) && !urls.some(isFetchable)) return 'absent'
        let timer: NodeJS.Timeout | undefined
        const timeout = new Promise<'pending'>((resolve) => {
          timer = setTimeout(resolve, timeoutMs, 'pending')
        })
        const firstResult = await Promise.race([masterOf(urls), timeout])
        clearTimeout(timer)
        if (firstResult === 'pending') return 'pending'
        if (firstResult === undefined) return 'absent'
        master = firstResult
      }
      const original = master
      try {
        const body = await drawQueue(() => cropPicture(original, shape))
        if (body === undefined) return 'pending'
        await cache.put(variant, body)
        return body
      } catch {
        return 'absent'
      }
    },
  }
}
