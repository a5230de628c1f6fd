import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createOnDemandPrecache } from './on-demand-precache.ts'

const CACHE_NAME = 'on-demand-precache-test'
const assetPaths = ['/assets/maker-1.js', '/assets/kernel-2.wasm', '/assets/gone-3.js', '/assets/page-4.js']
const assetUrls = assetPaths.map((path) => new URL(path, location.origin).href)
const onFetch = vi.fn()
let isOnline = true

beforeEach(async () => {
  isOnline = true
  onFetch.mockClear()
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
    onFetch(new URL(String(url)).pathname)
    if (!isOnline) throw new TypeError('Failed to fetch')
    if (String(url).includes('gone')) return new Response('', { status: 404 })
    const contentType = String(url).includes('page') ? 'text/html; charset=utf-8' : 'text/javascript'
    return new Response('program', { headers: { 'content-type': contentType } })
  })
  for (const name of await caches.keys()) await caches.delete(name)
})
afterEach(() => vi.restoreAllMocks())

const createTestPrecache = () => createOnDemandPrecache({ cacheName: CACHE_NAME, urls: assetUrls })
const listCachedPaths = async () => (await (await caches.open(CACHE_NAME)).keys()).map(({ url }) => new URL(url).pathname).sort()

it('on-demand precache: once enabled, all files are cached except those that cannot be loaded', async () => {
  const testPrecache = createTestPrecache()
  await Promise.all([testPrecache.enable(), testPrecache.enable()])
  expect(await listCachedPaths()).toEqual(['/assets/kernel-2.wasm', '/assets/maker-1.js'])
  expect(onFetch).toHaveBeenCalledTimes(4)
  await createTestPrecache().enable()
  expect(onFetch.mock.calls.slice(4).flat()).toEqual(['/assets/gone-3.js', '/assets/page-4.js'])
})

it('on-demand precache: a new build caches its files only if the precache was enabled in an earlier build', async () => {
  await createTestPrecache().cacheIfEnabled()
  expect(await listCachedPaths()).toEqual([])
  isOnline = false
  await createTestPrecache().enable()
  expect(await listCachedPaths()).toEqual([])
  isOnline = true
  await createTestPrecache().cacheIfEnabled()
  expect(await listCachedPaths()).toHaveLength(2)
})

it('on-demand precache: until it is enabled, a file is cached only when a page requests the file', async () => {
  const testPrecache = createTestPrecache()
  const [url = ''] = assetUrls
  expect([testPrecache.has(url), testPrecache.has(`${location.origin}/assets/song-9.js`)]).toEqual([true, false])
  expect(await (await testPrecache.fetchAndCache(url)).text()).toBe('program')
  expect(await listCachedPaths()).toEqual(['/assets/maker-1.js'])
})
