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

/** `pending`: it is still being fetched; ask again. `absent`: there is none for now. */
export type PictureResult = Buffer | 'pending' | 'absent'

export interface PicturesOptions {
  cache: PictureCache
  fetchPicture: PictureFetch
  breaker: HostBreaker
  /** What takes a processor for a while goes through it. */
  draw: BoundedQueue
  nowMs?: () => number
  /** How long a URL that failed is not tried again. */
  failureMs?: number
}

export interface Pictures {
  /** The first of `urls` that is a picture, cut to `shape`; waits at most `patienceMs` for what is not in the cache. */
  get(urls: readonly string[], shape: PictureShape, patienceMs: number): Promise<PictureResult>
}

const MASTER_WIDTH = 1280
const MAX_PIXELS = 40_000_000
const MAX_FETCHES = 6
const MAX_WAITING = 300
const MAX_FAILURES = 20_000

// The server has other work than pictures: one thread each, and no cache beside our own.
sharp.concurrency(1)
sharp.cache(false)

/** Formats by their first bytes: only these ever reach a decoder, so an SVG or a PDF never does. */
function isRaster(body: Buffer): boolean {
  const ascii = (from: number, to: number) => body.toString('latin1', from, to)
  return (
    (body[0] === 0xff && body[1] === 0xd8 && body[2] === 0xff) ||
    ascii(0, 8) === '\x89PNG\r\n\x1a\n' ||
    ascii(0, 4) === 'GIF8' ||
    (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') ||
    (ascii(4, 8) === 'ftyp' && /^(avif|avis|mif1)/.test(ascii(8, 12)))
  )
}

/** What is kept of a fetched picture: its first frame, upright, no wider than any page shows it, without metadata. */
export async function makeMaster(body: Buffer): Promise<Buffer> {
  if (!isRaster(body)) throw new PictureFetchError('gone', 'not a picture')
  try {
    return await sharp(body, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .timeout({ seconds: 10 })
      .rotate()
      .resize({ width: MASTER_WIDTH, height: MASTER_WIDTH, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 88, effort: 2 })
      .toBuffer()
  } catch (error) {
    throw new PictureFetchError('gone', error instanceof Error ? error.message : 'not a picture')
  }
}

function cut(master: Buffer, { width, height, format }: PictureShape): Promise<Buffer> {
  const sized = sharp(master).resize(width, height, { fit: 'cover' })
  return (format === 'webp' ? sized.webp({ quality: 76, effort: 3 }) : sized.flatten().jpeg({ quality: 80, mozjpeg: true })).toBuffer()
}

/** Other hosts' pictures: fetched once, kept on disk, cut to the sizes that pages ask for. */
export function createPictures(options: PicturesOptions): Pictures {
  const { cache, fetchPicture, breaker, draw, nowMs = Date.now, failureMs = 600_000 } = options
  const failedUntilMs = new Map<string, number>()
  const underWay = new Map<string, Promise<Buffer | undefined>>()
  const enqueue = createBoundedQueue(MAX_FETCHES, MAX_WAITING)

  const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : '')
  const worthTrying = (url: string) => (failedUntilMs.get(url) ?? 0) <= nowMs() && breaker.allows(hostOf(url))

  async function fetchMaster(url: string): Promise<Buffer | undefined> {
    try {
      const master = await makeMaster(await fetchPicture(url))
      breaker.answered(hostOf(url))
      return master
    } catch (error) {
      if (error instanceof PictureFetchError && error.kind === 'unreachable') {
        // Nothing is wrong with this picture: what is remembered is that its host does not answer.
        breaker.failed(hostOf(url))
        return undefined
      }
      if (error instanceof PictureFetchError && error.kind === 'gone') breaker.answered(hostOf(url))
      if (failedUntilMs.size >= MAX_FAILURES) failedUntilMs.clear()
      failedUntilMs.set(url, nowMs() + failureMs)
      return undefined
    }
  }

  /** One fetch at a time for the same picture, however many ask; its result goes to the cache whether anybody still waits or not. */
  function masterOf(urls: readonly string[]): Promise<Buffer | undefined> {
    const id = urls.join(' ')
    const known = underWay.get(id)
    if (known !== undefined) return known
    const work = enqueue(async () => {
      for (const url of urls) {
        if (!worthTrying(url)) continue
        const master = await fetchMaster(url)
        if (master === undefined) continue
        await cache.put(`master ${id}`, master)
        return master
      }
      return undefined
    }).finally(() => underWay.delete(id))
    underWay.set(id, work)
    return work
  }

  return {
    async get(urls, shape, patienceMs) {
      const id = urls.join(' ')
      const variant = `${shape.width}x${shape.height} ${shape.format} ${id}`
      const kept = await cache.get(variant)
      if (kept !== undefined) return kept
      let master = await cache.get(`master ${id}`)
      if (master === undefined) {
        if (!underWay.has(id) && !urls.some(worthTrying)) return 'absent'
        let timer: NodeJS.Timeout | undefined
        const patience = new Promise<'pending'>((resolve) => {
          timer = setTimeout(resolve, patienceMs, 'pending')
        })
        const first = await Promise.race([masterOf(urls), patience])
        clearTimeout(timer)
        if (first === 'pending') return 'pending'
        if (first === undefined) return 'absent'
        master = first
      }
      const whole = master
      try {
        const body = await draw(() => cut(whole, shape))
        if (body === undefined) return 'pending'
        await cache.put(variant, body)
        return body
      } catch {
        return 'absent'
      }
    },
  }
}
