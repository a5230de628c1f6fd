import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createPictureCache } from './picture-cache.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'picture-cache-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const body = (fill: string) => Buffer.alloc(100, fill)

it('keeps what it is given, also for the next start', async () => {
  await createPictureCache({ dir, maxBytes: 1000 }).put('a', body('a'))
  const again = createPictureCache({ dir, maxBytes: 1000 })
  expect(await again.get('a')).toEqual(body('a'))
  expect(await again.get('b')).toBeUndefined()
  expect(await again.bytes()).toBe(100)
})

it('stays within its bound, dropping what was used longest ago', async () => {
  const cache = createPictureCache({ dir, maxBytes: 300 })
  for (const key of ['a', 'b', 'c']) await cache.put(key, body(key))
  await cache.get('a')
  await cache.put('d', body('d'))
  expect(await cache.get('b')).toBeUndefined()
  expect(await cache.get('a')).toEqual(body('a'))
  expect(await cache.bytes()).toBe(300)
  expect(await readdir(dir)).toHaveLength(3)
})

it('counts a picture that is put again once', async () => {
  const cache = createPictureCache({ dir, maxBytes: 300 })
  for (let time = 0; time < 5; time++) await cache.put('a', body('a'))
  expect(await cache.bytes()).toBe(100)
})

it('does not keep what is larger than all it may hold', async () => {
  const cache = createPictureCache({ dir, maxBytes: 50 })
  await cache.put('a', body('a'))
  expect(await readdir(dir)).toEqual([])
})

it('shrinks to a smaller bound on the next start, and clears what was left half-written', async () => {
  const first = createPictureCache({ dir, maxBytes: 1000 })
  for (const key of ['a', 'b', 'c', 'd']) await first.put(key, body(key))
  await writeFile(join(dir, 'left.part'), 'half')
  const [oldest] = (await readdir(dir)).filter((name) => !name.endsWith('.part'))
  await utimes(join(dir, oldest ?? ''), 1, 1)
  const second = createPictureCache({ dir, maxBytes: 300 })
  expect(await second.bytes()).toBe(300)
  const left = await readdir(dir)
  expect(left).toHaveLength(3)
  expect(left).not.toContain(oldest)
})

it('goes on without a disk to write to, and without a file that is gone', async () => {
  const file = join(dir, 'file')
  await writeFile(file, '')
  const nowhere = createPictureCache({ dir: file, maxBytes: 1000 })
  await nowhere.put('a', body('a'))
  expect(await nowhere.get('a')).toBeUndefined()
  const cache = createPictureCache({ dir: join(dir, 'new'), maxBytes: 1000 })
  await cache.put('a', body('a'))
  await rm(join(dir, 'new'), { recursive: true })
  expect(await cache.get('a')).toBeUndefined()
  expect(await cache.bytes()).toBe(0)
})
