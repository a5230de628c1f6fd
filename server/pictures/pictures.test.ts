import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StorageError } from '../storage/errors.ts'
import { createPictureCache } from './cache.ts'
import { createPictureQueues } from './drawing.ts'
import { PictureFetchError } from './fetch.ts'
import { createHostBreaker } from './host-breaker.ts'
import { createPictureService } from './pictures.ts'

let cacheDir: string
beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'pictures-'))
})
afterEach(() => rm(cacheDir, { recursive: true, force: true }))

const createJpeg = (width = 1280, height = 720, backgroundColour = '#cc2288') =>
  sharp({ create: { width, height, channels: 3, background: backgroundColour } })
    .jpeg()
    .toBuffer()
const { makeMaster } = createPictureQueues()
const testShape = { width: 320, height: 180, format: 'webp' as const }

function setUp(fetchPicture: (url: string) => Promise<Buffer>, pictureQueues = createPictureQueues()) {
  let clockMs = 1_000_000
  const fetchedUrls: string[] = []
  const getClockMs = () => clockMs
  const pictureService = createPictureService({
    cache: createPictureCache({ dir: cacheDir, maxBytes: 10_000_000 }),
    fetchPicture: (url) => {
      fetchedUrls.push(url)
      return fetchPicture(url)
    },
    breaker: createHostBreaker({ failureThreshold: 3, openMs: 180_000, nowMs: getClockMs }),
    drawing: pictureQueues,
    nowMs: getClockMs,
  })
  return { pictures: pictureService, fetched: fetchedUrls, advanceClock: (ms: number) => (clockMs += ms) }
}

const fetchGone = () => Promise.reject(new PictureFetchError('gone', 'answered 404'))
const fetchUnreachable = () => Promise.reject(new PictureFetchError('unreachable', 'no network'))

describe('pictures', () => {
  it('pictures are resized to the requested size and format, and are fetched once', async () => {
    const { pictures, fetched: fetchedUrls } = setUp(() => createJpeg())
    for (const wantedShape of [testShape, { width: 160, height: 160, format: 'jpeg' as const }, testShape]) {
      const pictureBytes = await pictures.get(['https://a.example/1'], wantedShape, 5000)
      const imageMetadata = await sharp(pictureBytes instanceof Buffer ? pictureBytes : undefined).metadata()
      expect([imageMetadata.format, imageMetadata.width, imageMetadata.height]).toEqual([
        wantedShape.format,
        wantedShape.width,
        wantedShape.height,
      ])
    }
    expect(fetchedUrls).toEqual(['https://a.example/1'])
  })

  it('pictures are pending if too many are resized at the same time, and are available later', async () => {
    let isQueueBusy = true
    const { pictures } = setUp(() => createJpeg(), { ...createPictureQueues(), draw: async (task) => (isQueueBusy ? undefined : task()) })
    expect(await pictures.get(['https://a.example/1'], testShape, 5000)).toBe('pending')
    isQueueBusy = false
    expect(await pictures.get(['https://a.example/1'], testShape, 5000)).toBeInstanceOf(Buffer)
  })

  it('a picture that cannot be read because the database is out of reach is shown as soon as the database is back', async () => {
    let isDatabaseGone = true
    const { pictures } = setUp(() => (isDatabaseGone ? Promise.reject(new StorageError('unreachable', 'no database')) : createJpeg()))
    await expect(pictures.get(['banner:1'], testShape, 5000)).rejects.toThrow('no database')
    isDatabaseGone = false
    expect(await pictures.get(['banner:1'], testShape, 5000)).toBeInstanceOf(Buffer)
  })

  it('pictures are cropped: a 4:3 thumbnail loses its black bars', async () => {
    const letterboxedPicture = await sharp(await createJpeg(480, 270))
      .extend({ top: 45, bottom: 45, background: '#000000' })
      .jpeg()
      .toBuffer()
    const { pictures } = setUp(() => Promise.resolve(letterboxedPicture))
    const pictureBytes = await pictures.get(['https://a.example/1'], testShape, 5000)
    const [redLevel] = await sharp(pictureBytes instanceof Buffer ? pictureBytes : undefined)
      .extract({ left: 160, top: 4, width: 1, height: 1 })
      .raw()
      .toBuffer()
    expect(redLevel).toBeGreaterThan(150)
  })

  it('pictures are fetched once for concurrent requests', async () => {
    const { pictures, fetched: fetchedUrls } = setUp(() => createJpeg())
    const bodies = await Promise.all(Array.from({ length: 20 }, () => pictures.get(['https://a.example/1'], testShape, 5000)))
    expect(bodies.every((body) => body instanceof Buffer)).toBe(true)
    expect(fetchedUrls).toHaveLength(1)
  })

  it('pictures fall back to the next URL, and a failed URL is not retried for some minutes', async () => {
    const { pictures, fetched: fetchedUrls, advanceClock } = setUp((url) => (url.endsWith('max') ? fetchGone() : createJpeg()))
    expect(await pictures.get(['https://a.example/max', 'https://a.example/hq'], testShape, 5000)).toBeInstanceOf(Buffer)
    expect(fetchedUrls).toEqual(['https://a.example/max', 'https://a.example/hq'])
    expect(await pictures.get(['https://a.example/max'], testShape, 5000)).toBe('absent')
    expect(fetchedUrls).toHaveLength(2)
    advanceClock(600_001)
    expect(await pictures.get(['https://a.example/max'], testShape, 5000)).toBe('absent')
    expect(fetchedUrls).toHaveLength(3)
  })

  it('pictures are pending after the timeout, and are available later', async () => {
    let deliverBody: (body: Buffer) => void = () => {}
    const { pictures, fetched: fetchedUrls } = setUp(() => new Promise((resolve) => (deliverBody = resolve)))
    expect(await pictures.get(['https://a.example/1'], testShape, 100)).toBe('pending')
    deliverBody(await createJpeg())
    expect(await pictures.get(['https://a.example/1'], testShape, 5000)).toBeInstanceOf(Buffer)
    expect(fetchedUrls).toHaveLength(1)
  })

  it('pictures are not fetched from an unreachable host until its circuit breaker closes', async () => {
    let isNetworkUp = false
    const {
      pictures,
      fetched: fetchedUrls,
      advanceClock,
    } = setUp((url) => (isNetworkUp || url.startsWith('https://other') ? createJpeg() : fetchUnreachable()))
    for (let song = 0; song < 30; song++) expect(await pictures.get([`https://a.example/${song}`], testShape, 5000)).toBe('absent')
    expect(fetchedUrls).toHaveLength(3)
    expect(await pictures.get(['https://other.example/1'], testShape, 5000)).toBeInstanceOf(Buffer)
    advanceClock(180_001)
    expect(await pictures.get(['https://a.example/40'], testShape, 5000)).toBe('absent')
    expect(await pictures.get(['https://a.example/41'], testShape, 5000)).toBe('absent')
    expect(fetchedUrls).toHaveLength(5)
    isNetworkUp = true
    advanceClock(180_001)
    for (let song = 0; song < 5; song++) expect(await pictures.get([`https://a.example/${song}`], testShape, 5000)).toBeInstanceOf(Buffer)
  })

  it('pictures that a host does not have do not open its circuit breaker', async () => {
    const { pictures, fetched: fetchedUrls } = setUp(fetchGone)
    for (let song = 0; song < 10; song++) await pictures.get([`https://a.example/${song}`], testShape, 5000)
    expect(fetchedUrls).toHaveLength(10)
  })

  it('pictures are fetched with limited concurrency and a bounded queue', async () => {
    let runningCount = 0
    let maxConcurrentFetches = 0
    const { pictures, fetched: fetchedUrls } = setUp(async () => {
      maxConcurrentFetches = Math.max(maxConcurrentFetches, ++runningCount)
      await new Promise((resolve) => setTimeout(resolve, 2))
      runningCount--
      return fetchGone()
    })
    const fetchResults = await Promise.all(
      Array.from({ length: 500 }, (_, song) => pictures.get([`https://a.example/${song}`], testShape, 10_000)),
    )
    expect(fetchResults.every((result) => result === 'absent')).toBe(true)
    expect(maxConcurrentFetches).toBe(6)
    expect(fetchedUrls.length).toBeLessThan(320)
  })
})

describe('stored original', () => {
  const goneError = expect.objectContaining({ kind: 'gone' })

  it.each([
    ['text', Buffer.from('<html>not found</html>')],
    ['nothing', Buffer.alloc(0)],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>')],
    [
      'an SVG behind an XML head',
      Buffer.from('<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><svg>&b;</svg>'),
    ],
    ['a PDF', Buffer.from('%PDF-1.7')],
    ['the head of a JPEG alone', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ['an SVG that says it is a PNG', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('<svg/>')])],
  ])('pictures: %s is not accepted as a picture', async (_name, body) => {
    await expect(makeMaster(body)).rejects.toEqual(goneError)
  })

  it('a stored original is refused if it has too many pixels', async () => {
    const bombBytes = await sharp({ create: { width: 6400, height: 6400, channels: 3, background: '#000' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(bombBytes.length).toBeLessThan(500_000)
    await expect(makeMaster(bombBytes)).rejects.toEqual(goneError)
  })

  it('a stored original may have at most 25 megapixels, and 10 with four channels of 16 bits', { tags: ['long'] }, async () => {
    const createPng = (widthPx: number, heightPx: number, is16Bit: boolean) => {
      const plain = sharp({ create: { width: widthPx, height: heightPx, channels: 4, background: '#123' } })
      return (is16Bit ? plain.toColourspace('rgb16') : plain).png({ compressionLevel: 9 }).toBuffer()
    }
    expect((await sharp(await createPng(10, 10, true)).metadata()).depth).toBe('ushort')
    await expect(makeMaster(await createPng(4000, 2600, true))).rejects.toEqual(goneError)
    await expect(makeMaster(await createPng(4000, 2400, true))).resolves.toBeInstanceOf(Buffer)
    await expect(makeMaster(await createPng(5000, 4900, false))).resolves.toBeInstanceOf(Buffer)
    await expect(makeMaster(await createPng(5000, 5100, false))).rejects.toEqual(goneError)
  })

  it('stored originals are resized one at a time; if more than 20 wait, further ones are refused immediately', {
    tags: ['long'],
    timeout: 60_000,
  }, async () => {
    const largePicture = await sharp({ create: { width: 2000, height: 2000, channels: 3, background: '#123' } })
      .png()
      .toBuffer()
    // `process` is read before `queue`: in the other order, a picture that moves from the queue to a thread between the two reads would
    // count twice.
    const countWork = () => sharp.counters().process + sharp.counters().queue
    // Other tests in this process may have left a picture that is still being drawn.
    await expect.poll(countWork).toBe(0)
    let maxThreadCount = 0
    const memoryTimer = setInterval(() => {
      maxThreadCount = Math.max(maxThreadCount, countWork())
    }, 1)
    const masterResults = await Promise.all(Array.from({ length: 30 }, () => makeMaster(largePicture)))
    clearInterval(memoryTimer)
    expect(masterResults.filter((each) => each === undefined)).toHaveLength(9)
    expect(maxThreadCount).toBe(1)
  })

  it('a truncated original, and one with further bytes at its end, are decoded as browsers do', async () => {
    const completeJpeg = await createJpeg(800, 600)
    for (const body of [completeJpeg.subarray(0, completeJpeg.length - 200), Buffer.concat([completeJpeg, Buffer.alloc(100, 'x')])])
      expect(await sharp(await makeMaster(body)).metadata()).toMatchObject({ format: 'webp', width: 800, height: 600 })
    await expect(makeMaster(completeJpeg.subarray(0, 100))).rejects.toEqual(goneError)
  })

  it('transparent parts stay transparent in WebP, and are white in JPEG', async () => {
    const transparentColour = { r: 0, g: 0, b: 0, alpha: 0 }
    const { pictures } = setUp(() =>
      sharp({ create: { width: 400, height: 400, channels: 4, background: transparentColour } })
        .png()
        .toBuffer(),
    )
    const readFirstPixel = async (imageFormat: 'webp' | 'jpeg') => {
      const pictureBytes = await pictures.get(['https://a.example/logo'], { width: 160, height: 160, format: imageFormat }, 5000)
      return [
        ...(
          await sharp(pictureBytes instanceof Buffer ? pictureBytes : undefined)
            .raw()
            .toBuffer()
        ).subarray(0, imageFormat === 'webp' ? 4 : 3),
      ]
    }
    expect((await readFirstPixel('webp'))[3]).toBe(0)
    expect(await readFirstPixel('jpeg')).toEqual([255, 255, 255])
  })

  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
    'a stored original of the format %s is converted without its metadata',
    async (imageFormat) => {
      const sourceBytes = await sharp({ create: { width: 1400, height: 700, channels: 3, background: '#123456' } })
        .withExif({ IFD0: { Copyright: 'somebody' } })
        .toFormat(imageFormat)
        .toBuffer()
      const masterMetadata = await sharp(await makeMaster(sourceBytes)).metadata()
      expect([masterMetadata.format, masterMetadata.width, masterMetadata.height, masterMetadata.exif]).toEqual([
        'webp',
        1280,
        640,
        undefined,
      ])
    },
  )
})
