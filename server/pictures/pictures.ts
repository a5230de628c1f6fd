import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import { limitEntries } from '../lru-limit.ts'
import type { PictureCache } from './cache.ts'
import { createBoundedQueue, type PictureQueues } from './drawing.ts'
import { type PictureFetch, PictureFetchError } from './fetch.ts'
import type { HostBreaker } from './host-breaker.ts'

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
  drawing: PictureQueues
  nowMs?: () => number
  /** The time in milliseconds for which a failed URL is not fetched again. */
  failureMs?: number
}

const MAX_FETCHES = 6
const MAX_WAITING_FETCHES = 300
const FAILURES_MAX = 20_000

/** The background of a picture's transparent parts in JPEG. Without it, they would be black, and black lettering invisible. */
const JPEG_BACKGROUND = '#ffffff'

function cropPicture(master: Buffer, { width, height, format }: PictureShape): Promise<Buffer> {
  const sized = sharp(master).resize(width, height, { fit: 'cover' })
  return (
    format === 'webp'
      ? sized.webp({ quality: 76, effort: 3 })
      : sized.flatten({ background: JPEG_BACKGROUND }).jpeg({ quality: 80, mozjpeg: true })
  ).toBuffer()
}

/** Pictures of other hosts: fetched once, cached on disk, cropped to the requested sizes. */
export function createPictureService(options: PicturesOptions) {
  const { cache, fetchPicture, breaker, drawing, nowMs = Date.now, failureMs = 600_000 } = options
  const retryAtMs = new LRUCache<string, number>(limitEntries(FAILURES_MAX))
  const runningFetches = new Map<string, Promise<Buffer | undefined>>()
  const enqueue = createBoundedQueue(MAX_FETCHES, MAX_WAITING_FETCHES)

  const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : '')
  const isFetchable = (url: string) => (retryAtMs.get(url) ?? 0) <= nowMs() && breaker.allows(hostOf(url))

  async function fetchMaster(url: string): Promise<Buffer | undefined> {
    try {
      const master = await drawing.makeMaster(await fetchPicture(url))
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
    /** Returns the first of `urls` that is a picture, cropped to `shape`. Waits at most `timeoutMs` if it is not cached. */
    async get(urls: readonly string[], shape: PictureShape, timeoutMs: number): Promise<PictureResult> {
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
      const originalPicture = master
      try {
        const body = await drawing.draw(() => cropPicture(originalPicture, shape))
        if (body === undefined) return 'pending'
        await cache.put(variant, body)
        return body
      } catch {
        return 'absent'
      }
    },
  }
}
