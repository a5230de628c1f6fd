import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createPictureCache } from './cache.ts'

let cacheDir: string
beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'picture-cache-'))
})
afterEach(() => rm(cacheDir, { recursive: true, force: true }))

const createFilledBody = (fill: string) => Buffer.alloc(100, fill)

it('picture cache: stored pictures are returned, also after a restart', async () => {
  await createPictureCache({ dir: cacheDir, maxBytes: 1000 }).put('a', createFilledBody('a'))
  const reopenedCache = createPictureCache({ dir: cacheDir, maxBytes: 1000 })
  expect(await reopenedCache.get('a')).toEqual(createFilledBody('a'))
  expect(await reopenedCache.get('b')).toBeUndefined()
  expect(await reopenedCache.totalBytes()).toBe(100)
})

it('picture cache: above the limit, the least recently used pictures are evicted', async () => {
  const pictureCache = createPictureCache({ dir: cacheDir, maxBytes: 300 })
  for (const key of ['a', 'b', 'c']) await pictureCache.put(key, createFilledBody(key))
  await pictureCache.get('a')
  await pictureCache.put('d', createFilledBody('d'))
  expect(await pictureCache.get('b')).toBeUndefined()
  expect(await pictureCache.get('a')).toEqual(createFilledBody('a'))
  expect(await pictureCache.totalBytes()).toBe(300)
  expect(await readdir(cacheDir)).toHaveLength(3)
})

it('picture cache: only the size of the new picture counts if a picture replaces another one', async () => {
  const cache = createPictureCache({ dir: cacheDir, maxBytes: 300 })
  for (let repetition = 0; repetition < 5; repetition++) await cache.put('a', createFilledBody('a'))
  expect(await cache.totalBytes()).toBe(100)
})

it('picture cache: a picture that is larger than the cache is not stored', async () => {
  const cache = createPictureCache({ dir: cacheDir, maxBytes: 50 })
  await cache.put('a', createFilledBody('a'))
  expect(await readdir(cacheDir)).toEqual([])
})

it('picture cache: if the disk has only its reserved space left, no picture is stored, and stored pictures are returned', async () => {
  let isDiskFull = false
  const pictureCache = createPictureCache({ dir: cacheDir, maxBytes: 1000, hasSpace: async () => !isDiskFull })
  await pictureCache.put('a', createFilledBody('a'))
  isDiskFull = true
  await pictureCache.put('b', createFilledBody('b'))
  expect(await pictureCache.get('a')).toEqual(createFilledBody('a'))
  expect(await pictureCache.get('b')).toBeUndefined()
  expect(await readdir(cacheDir)).toHaveLength(1)
})

it('picture cache: after a restart with a smaller limit, pictures are evicted and incomplete files are removed', async () => {
  const firstCache = createPictureCache({ dir: cacheDir, maxBytes: 1000 })
  for (const key of ['a', 'b', 'c', 'd']) await firstCache.put(key, createFilledBody(key))
  await writeFile(join(cacheDir, 'left.part'), 'half')
  const [oldestFile] = (await readdir(cacheDir)).filter((name) => !name.endsWith('.part'))
  await utimes(join(cacheDir, oldestFile ?? ''), 1, 1)
  const secondCache = createPictureCache({ dir: cacheDir, maxBytes: 300 })
  expect(await secondCache.totalBytes()).toBe(300)
  const remainingFiles = await readdir(cacheDir)
  expect(remainingFiles).toHaveLength(3)
  expect(remainingFiles).not.toContain(oldestFile)
})

it('picture cache: pictures are served without a writable disk and if files are missing', async () => {
  const blockingPath = join(cacheDir, 'file')
  await writeFile(blockingPath, '')
  const brokenCache = createPictureCache({ dir: blockingPath, maxBytes: 1000 })
  await brokenCache.put('a', createFilledBody('a'))
  expect(await brokenCache.get('a')).toBeUndefined()
  const pictureCache = createPictureCache({ dir: join(cacheDir, 'new'), maxBytes: 1000 })
  await pictureCache.put('a', createFilledBody('a'))
  await rm(join(cacheDir, 'new'), { recursive: true })
  expect(await pictureCache.get('a')).toBeUndefined()
  expect(await pictureCache.totalBytes()).toBe(0)
})
