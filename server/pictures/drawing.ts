import { readFile } from 'node:fs/promises'
import pLimit from 'p-limit'
import sharp from 'sharp'
import { PictureFetchError } from './fetch.ts'

/** Runs a task once fewer than the maximum number of tasks run; resolves to `undefined` without running it if the queue is full. */
export type BoundedQueue = <T>(task: () => Promise<T>) => Promise<T | undefined>

/** Creates a queue that runs at most `concurrentMax` tasks at the same time and holds at most `pendingMax` further ones. */
export function createBoundedQueue(concurrentMax: number, pendingMax: number): BoundedQueue {
  const limit = pLimit(concurrentMax)
  return async (task) => (limit.activeCount + limit.pendingCount >= concurrentMax + pendingMax ? undefined : limit(task))
}

const CACHED_PICTURE_WIDTH_MAX_PX = 1280
const MAX_PICTURE_PIXELS = 25_000_000
/** The maximum number of pixels of a picture with four channels of 16 bits, which takes twice the memory of one with 8 bits. */
const MAX_16_BIT_PICTURE_PIXELS = 10_000_000

// sharp uses one thread per picture, which leaves capacity for other work, and no cache of its own, because pictures are cached on disk.
sharp.concurrency(1)
sharp.cache(false)

/** Detects bitmap formats by their magic numbers. Other formats, such as SVG and PDF, never reach a decoder. */
function isRasterPicture(pictureBytes: Buffer): boolean {
  const readAsciiAt = (from: number, to: number) => pictureBytes.toString('latin1', from, to)
  return (
    (pictureBytes[0] === 0xff && pictureBytes[1] === 0xd8 && pictureBytes[2] === 0xff) ||
    readAsciiAt(0, 8) === '\x89PNG\r\n\x1a\n' ||
    readAsciiAt(0, 4) === 'GIF8' ||
    (readAsciiAt(0, 4) === 'RIFF' && readAsciiAt(8, 12) === 'WEBP') ||
    (readAsciiAt(4, 8) === 'ftyp' && /^(avif|avis|mif1)/.test(readAsciiAt(8, 12)))
  )
}

/** A picture that was fetched or uploaded: its bytes, or the path of its file, which is read when the picture's turn in the queue comes. */
type PictureInput = Buffer | string

/** Converts a picture for the cache: first frame, rotated upright, at most 1280 pixels wide, without metadata. */
async function convertToMaster(source: PictureInput): Promise<Buffer> {
  const sourceBytes = typeof source === 'string' ? await readFile(source) : source
  if (!isRasterPicture(sourceBytes)) throw new PictureFetchError('gone', 'not a picture')
  try {
    const { width, height, channels, depth } = await sharp(sourceBytes, { limitInputPixels: MAX_PICTURE_PIXELS }).metadata()
    if (channels === 4 && depth !== 'uchar' && width * height > MAX_16_BIT_PICTURE_PIXELS) throw new Error('too many pixels')
    // Damaged files are decoded as far as possible, as browsers do.
    return await sharp(sourceBytes, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'none', pages: 1 })
      .timeout({ seconds: 10 })
      .rotate()
      .resize({ width: CACHED_PICTURE_WIDTH_MAX_PX, height: CACHED_PICTURE_WIDTH_MAX_PX, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 88, effort: 2 })
      .toBuffer()
  } catch (error) {
    throw new PictureFetchError('gone', error instanceof Error ? error.message : 'not a picture')
  }
}

/**
 * The number of pictures that are drawn at the same time. Each drawing occupies one of the four threads of libuv's pool, and password hashes occupy
 * at most two threads. Pictures alone can therefore never delay file access.
 */
const CONCURRENT_DRAWINGS_MAX = 2
const PENDING_DRAWINGS_MAX = 100
/**
 * The maximum number of fetched or uploaded pictures that wait to be converted. They are converted one at a time, because each may take 100
 * MB of memory.
 */
const PENDING_MASTERS_MAX = 20

/** The number of seconds after which a request that was refused because of a full queue may be repeated. */
export const DRAWING_RETRY_SECONDS = 10

/**
 * Creates the two queues through which all pictures are drawn or converted that visitors can request. A call resolves to `undefined` if its queue
 * is full.
 */
export function createPictureQueues() {
  const runDrawing = createBoundedQueue(CONCURRENT_DRAWINGS_MAX, PENDING_DRAWINGS_MAX)
  const enqueueMaster = createBoundedQueue(1, PENDING_MASTERS_MAX)
  return {
    draw: runDrawing,
    /** Converts a fetched or uploaded picture for the cache. @throws PictureFetchError if it is not a picture or is too large */
    makeMaster: (source: PictureInput): Promise<Buffer | undefined> => enqueueMaster(() => runDrawing(() => convertToMaster(source))),
  }
}
export type PictureQueues = ReturnType<typeof createPictureQueues>
