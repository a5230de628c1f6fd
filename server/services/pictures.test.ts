import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBoundedQueue } from './bounded-queue.ts'
import { createHostBreaker } from './host-breaker.ts'
import { createPictureCache } from './picture-cache.ts'
import { PictureFetchError } from './picture-fetch.ts'
import { createPictures, makeMaster } from './pictures.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pictures-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const jpeg = (width = 1280, height = 720, background = '#cc2288') =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer()
const shape = { width: 320, height: 180, format: 'webp' as const }

function setUp(fetchPicture: (url: string) => Promise<Buffer>, draw = createBoundedQueue(2, 100)) {
  let now = 1_000_000
  const fetched: string[] = []
  const nowMs = () => now
  const pictures = createPictures({
    cache: createPictureCache({ dir, maxBytes: 10_000_000 }),
    fetchPicture: (url) => {
      fetched.push(url)
      return fetchPicture(url)
    },
    breaker: createHostBreaker({ failures: 3, restMs: 180_000, nowMs }),
    draw,
    nowMs,
  })
  return { pictures, fetched, pass: (ms: number) => (now += ms) }
}

const gone = () => Promise.reject(new PictureFetchError('gone', 'answered 404'))
const unreachable = () => Promise.reject(new PictureFetchError('unreachable', 'no network'))

describe('pictures', () => {
  it('cuts to the size and format that was asked for, fetching once', async () => {
    const { pictures, fetched } = setUp(() => jpeg())
    for (const wanted of [shape, { width: 160, height: 160, format: 'jpeg' as const }, shape]) {
      const body = await pictures.get(['https://a.example/1'], wanted, 5000)
      const info = await sharp(body instanceof Buffer ? body : undefined).metadata()
      expect([info.format, info.width, info.height]).toEqual([wanted.format, wanted.width, wanted.height])
    }
    expect(fetched).toEqual(['https://a.example/1'])
  })

  it('are still to come where too many are cut at once, and are there later', async () => {
    let busy = true
    const { pictures } = setUp(
      () => jpeg(),
      async (task) => (busy ? undefined : task()),
    )
    expect(await pictures.get(['https://a.example/1'], shape, 5000)).toBe('pending')
    busy = false
    expect(await pictures.get(['https://a.example/1'], shape, 5000)).toBeInstanceOf(Buffer)
  })

  it('cuts the black bars off a thumbnail of 4:3', async () => {
    const barred = await sharp(await jpeg(480, 270))
      .extend({ top: 45, bottom: 45, background: '#000000' })
      .jpeg()
      .toBuffer()
    const { pictures } = setUp(() => Promise.resolve(barred))
    const body = await pictures.get(['https://a.example/1'], shape, 5000)
    const [red] = await sharp(body instanceof Buffer ? body : undefined)
      .extract({ left: 160, top: 4, width: 1, height: 1 })
      .raw()
      .toBuffer()
    expect(red).toBeGreaterThan(150)
  })

  it('fetches one picture once for everybody who asks meanwhile', async () => {
    const { pictures, fetched } = setUp(() => jpeg())
    const bodies = await Promise.all(Array.from({ length: 20 }, () => pictures.get(['https://a.example/1'], shape, 5000)))
    expect(bodies.every((body) => body instanceof Buffer)).toBe(true)
    expect(fetched).toHaveLength(1)
  })

  it('goes on to the next URL, and remembers the one that failed for some minutes', async () => {
    const { pictures, fetched, pass } = setUp((url) => (url.endsWith('max') ? gone() : jpeg()))
    expect(await pictures.get(['https://a.example/max', 'https://a.example/hq'], shape, 5000)).toBeInstanceOf(Buffer)
    expect(fetched).toEqual(['https://a.example/max', 'https://a.example/hq'])
    expect(await pictures.get(['https://a.example/max'], shape, 5000)).toBe('absent')
    expect(fetched).toHaveLength(2)
    pass(600_001)
    expect(await pictures.get(['https://a.example/max'], shape, 5000)).toBe('absent')
    expect(fetched).toHaveLength(3)
  })

  it('does not keep a page waiting, and has the picture later', async () => {
    let deliver: (body: Buffer) => void = () => {}
    const { pictures, fetched } = setUp(() => new Promise((resolve) => (deliver = resolve)))
    const start = performance.now()
    expect(await pictures.get(['https://a.example/1'], shape, 100)).toBe('pending')
    expect(performance.now() - start).toBeLessThan(1000)
    deliver(await jpeg())
    expect(await pictures.get(['https://a.example/1'], shape, 5000)).toBeInstanceOf(Buffer)
    expect(fetched).toHaveLength(1)
  })

  it('leaves a host alone that does not answer, and tries it again after a rest', async () => {
    let network = false
    const { pictures, fetched, pass } = setUp((url) => (network || url.startsWith('https://other') ? jpeg() : unreachable()))
    for (let song = 0; song < 30; song++) expect(await pictures.get([`https://a.example/${song}`], shape, 5000)).toBe('absent')
    expect(fetched).toHaveLength(3)
    expect(await pictures.get(['https://other.example/1'], shape, 5000)).toBeInstanceOf(Buffer)
    pass(180_001)
    expect(await pictures.get(['https://a.example/40'], shape, 5000)).toBe('absent')
    expect(await pictures.get(['https://a.example/41'], shape, 5000)).toBe('absent')
    expect(fetched).toHaveLength(5)
    network = true
    pass(180_001)
    for (let song = 0; song < 5; song++) expect(await pictures.get([`https://a.example/${song}`], shape, 5000)).toBeInstanceOf(Buffer)
  })

  it('does not blame a host for pictures that it does not have', async () => {
    const { pictures, fetched } = setUp(gone)
    for (let song = 0; song < 10; song++) await pictures.get([`https://a.example/${song}`], shape, 5000)
    expect(fetched).toHaveLength(10)
  })

  it('runs few fetches at a time, and none for those who stand too far back', async () => {
    let running = 0
    let most = 0
    const { pictures, fetched } = setUp(async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 2))
      running--
      return gone()
    })
    const results = await Promise.all(Array.from({ length: 500 }, (_, song) => pictures.get([`https://a.example/${song}`], shape, 10_000)))
    expect(results.every((result) => result === 'absent')).toBe(true)
    expect(most).toBe(6)
    expect(fetched.length).toBeLessThan(320)
  })
})

describe('what becomes a master', () => {
  const refused = expect.objectContaining({ kind: 'gone' })

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
  ])('is not %s', async (_name, body) => {
    await expect(makeMaster(body)).rejects.toEqual(refused)
  })

  it('is not a picture of too many pixels, however few bytes it takes', async () => {
    const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#000' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(bomb.length).toBeLessThan(500_000)
    await expect(makeMaster(bomb)).rejects.toEqual(refused)
  })

  it('is not a broken picture', async () => {
    const whole = await jpeg(800, 600)
    await expect(makeMaster(whole.subarray(0, whole.length / 3))).rejects.toEqual(refused)
  })

  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('is made from %s, without its metadata', async (format) => {
    const source = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#123456' } })
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .toFormat(format)
      .toBuffer()
    const master = await sharp(await makeMaster(source)).metadata()
    expect([master.format, master.width, master.height, master.exif]).toEqual(['webp', 1280, 640, undefined])
  })
})
