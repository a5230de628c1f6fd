import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import { createEntryLimit } from '../lru-limit.ts'
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

const MAX_CONCURRENT_FETCHES = 6
const MAX_WAITING_FETCHES = 300
const REMEMBERED_FAILURES_MAX = 20_000

/** The background of a picture's transparent parts in JPEG. Without it, they would be black, and black lettering invisible. */
const JPEG_BACKGROUND = '#ffffff'

function cropPicture(masterBytes: Buffer, { width, height, format }: PictureShape): Promise<Buffer> {
  const sizedPicture = sharp(masterBytes).resize(width, height, { fit: 'cover' })
  return (
    format === 'webp'
      ? sizedPicture.webp({ quality: 76, effort: 3 })
      : sizedPicture.flatten({ background: JPEG_BACKGROUND }).jpeg({ quality: 80, mozjpeg: true })
  ).toBuffer()
}

/** Pictures of other hosts: fetched once, cached on disk, cropped to the requested sizes. */
export function createPictureService(options: PicturesOptions) {
  const { cache, fetchPicture, breaker, drawing, nowMs = Date.now, failureMs = 600_000 } = options
  const retryAtMsByUrl = new LRUCache<string, number>(createEntryLimit(REMEMBERED_FAILURES_MAX))
  const runningFetchByMasterId = new Map<string, Promise<Buffer | undefined>>()
  const queueFetch = createBoundedQueue(MAX_CONCURRENT_FETCHES, MAX_WAITING_FETCHES)

  const readHost = (url: string) => (URL.canParse(url) ? new URL(url).host : '')
  const isFetchableUrl = (url: string) => (retryAtMsByUrl.get(url) ?? 0) <= nowMs() && breaker.allows(readHost(url))

  async function fetchMaster(url: string): Promise<Buffer | undefined> {
    try {
      const master = await drawing.makeMaster(await fetchPicture(url))
      breaker.recordSuccess(readHost(url))
      return master
    } catch (error) {
      // An error of the database that holds uploaded banners says nothing about the picture.
      if (!(error instanceof PictureFetchError)) throw error
      if (error.kind === 'unreachable') {
        // Only failures of the host are counted, not those of a single picture.
        breaker.recordFailure(readHost(url))
        return undefined
      }
      if (error.kind === 'gone') breaker.recordSuccess(readHost(url))
      retryAtMsByUrl.set(url, nowMs() + failureMs)
      return undefined
    }
  }

  /** Fetches a picture and caches it. Concurrent calls for the same picture share one fetch, which continues after their timeouts. */
  function findMaster(candidateUrls: readonly string[]): Promise<Buffer | undefined> {
    const masterId = candidateUrls.join(' ')
    const runningFetch = runningFetchByMasterId.get(masterId)
    if (runningFetch !== undefined) return runningFetch
    const fetchTask = queueFetch(async () => {
      for (const url of candidateUrls) {
        if (!isFetchableUrl(url)) continue
        const masterBytes = await fetchMaster(url)
        if (masterBytes === undefined) continue
        await cache.put(`master ${masterId}`, masterBytes)
        return masterBytes
      }
      return undefined
    }).finally(() => runningFetchByMasterId.delete(masterId))
    runningFetchByMasterId.set(masterId, fetchTask)
    return fetchTask
  }

  return {
    /** Returns the first of `candidateUrls` that is a picture, cropped to `shape`. Waits at most `timeoutMs` if it is not cached. @throws StorageError if an upload cannot be read */
    async get(candidateUrls: readonly string[], shape: PictureShape, timeoutMs: number): Promise<PictureResult> {
      const masterId = candidateUrls.join(' ')
      const variantKey = `${shape.width}x${shape.height} ${shape.format} ${masterId}`
      const cachedVariant = await cache.get(variantKey)
      if (cachedVariant !== undefined) return cachedVariant
      let masterBytes = await cache.get(`master ${masterId}`)
      if (masterBytes === undefined) {
        if (!runningFetchByMasterId.has(masterId) && !candidateUrls.some(isFetchableUrl)) return 'absent'
        let timer: NodeJS.Timeout | undefined
        const timeoutPromise = new Promise<'pending'>((resolve) => {
          timer = setTimeout(resolve, timeoutMs, 'pending')
        })
        const firstResult = await Promise.race([findMaster(candidateUrls), timeoutPromise])
        clearTimeout(timer)
        if (firstResult === 'pending') return 'pending'
        if (firstResult === undefined) return 'absent'
        masterBytes = firstResult
      }
      const originalPicture = masterBytes
      try {
        const croppedBytes = await drawing.draw(() => cropPicture(originalPicture, shape))
        if (croppedBytes === undefined) return 'pending'
        await cache.put(variantKey, croppedBytes)
        return croppedBytes
      } catch {
        return 'absent'
      }
    },
  }
}
