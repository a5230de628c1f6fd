import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createPictureCache } from './cache.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'picture-cache-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const filledBody = (fill: string) => Buffer.alloc(100, fill)

it('picture cache: stored pictures are returned, also after a restart', async () => {
  await createPictureCache({ dir, maxBytes: 1000 }).put('a', filledBody('a'))
  const reopenedCache = createPictureCache({ dir, maxBytes: 1000 })
  expect(await reopenedCache.get('a')).toEqual(filledBody('a'))
  expect(await reopenedCache.get('b')).toBeUndefined()
  expect(await reopenedCache.totalBytes()).toBe(100)
})

it('picture cache: above the limit, the least recently used pictures are evicted', async () => {
  const cache = createPictureCache({ dir, maxBytes: 300 })
  for (const key of ['a', 'b', 'c']) await cache.put(key, filledBody(key))
  await cache.get('a')
  await cache.put('d', filledBody('d'))
  expect(await cache.get('b')).toBeUndefined()
  expect(await cache.get('a')).toEqual(filledBody('a'))
  expect(await cache.totalBytes()).toBe(300)
  expect(await readdir(dir)).toHaveLength(3)
})

it('picture cache: only the size of the new picture counts if a picture replaces another one', async () => {
  const cache = createPictureCache({ dir, maxBytes: 300 })
  for (let repetition = 0; repetition < 5; repetition++) await cache.put('a', filledBody('a'))
  expect(await cache.totalBytes()).toBe(100)
})

it('picture cache: a picture that is larger than the cache is not stored', async () => {
  const cache = createPictureCache({ dir, maxBytes: 50 })
  await cache.put('a', filledBody('a'))
  expect(await readdir(dir)).toEqual([])
})

it('picture cache: if the disk has only its reserved space left, no picture is stored, and stored pictures are returned', async () => {
  let isFull = false
  const cache = createPictureCache({ dir, maxBytes: 1000, hasSpace: async () => !isFull })
  await cache.put('a', filledBody('a'))
  isFull = true
  await cache.put('b', filledBody('b'))
  expect(await cache.get('a')).toEqual(filledBody('a'))
  expect(await cache.get('b')).toBeUndefined()
  expect(await readdir(dir)).toHaveLength(1)
})

it('picture cache: after a restart with a smaller limit, pictures are evicted and incomplete files are removed', async () => {
  const firstCache = createPictureCache({ dir, maxBytes: 1000 })
  for (const key of ['a', 'b', 'c', 'd']) await firstCache.put(key, filledBody(key))
  await writeFile(join(dir, 'left.part'), 'half')
  const [oldestFile] = (await readdir(dir)).filter((name) => !name.endsWith('.part'))
  await utimes(join(dir, oldestFile ?? ''), 1, 1)
  const secondCache = createPictureCache({ dir, maxBytes: 300 })
  expect(await secondCache.totalBytes()).toBe(300)
  const remainingFiles = await readdir(dir)
  expect(remainingFiles).toHaveLength(3)
  expect(remainingFiles).not.toContain(oldestFile)
})

it('picture cache: pictures are served without a writable disk and if files are missing', async () => {
  const file = join(dir, 'file')
  await writeFile(file, '')
  const brokenCache = createPictureCache({ dir: file, maxBytes: 1000 })
  await brokenCache.put('a', filledBody('a'))
  expect(await brokenCache.get('a')).toBeUndefined()
  const cache = createPictureCache({ dir: join(dir, 'new'), maxBytes: 1000 })
  await cache.put('a', filledBody('a'))
  await rm(join(dir, 'new'), { recursive: true })
  expect(await cache.get('a')).toBeUndefined()
  expect(await cache.totalBytes()).toBe(0)
})
