import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLaterParts } from './later-parts.ts'

const CACHE = 'later-parts-test'
const paths = ['/assets/maker-1.js', '/assets/kernel-2.wasm', '/assets/gone-3.js', '/assets/page-4.js']
const urls = paths.map((path) => new URL(path, location.origin).href)
const asked = vi.fn()
/** Whether the site answers. */
let online = true

beforeEach(async () => {
  online = true
  asked.mockClear()
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
    asked(new URL(String(url)).pathname)
    if (!online) throw new TypeError('Failed to fetch')
    if (String(url).includes('gone')) return new Response('', { status: 404 })
    const type = String(url).includes('page') ? 'text/html; charset=utf-8' : 'text/javascript'
    return new Response('program', { headers: { 'content-type': type } })
  })
  for (const name of await caches.keys()) await caches.delete(name)
})
afterEach(() => vi.restoreAllMocks())

const open = () => createLaterParts({ cacheName: CACHE, urls })
const kept = async () => (await (await caches.open(CACHE)).keys()).map(({ url }) => new URL(url).pathname).sort()

it('keeps all once the maker is open, whatever of it does not come', async () => {
  const parts = open()
  await Promise.all([parts.keepFromNowOn(), parts.keepFromNowOn()])
  expect(await kept()).toEqual(['/assets/kernel-2.wasm', '/assets/maker-1.js'])
  expect(asked).toHaveBeenCalledTimes(4)
  await open().keepFromNowOn()
  expect(asked.mock.calls.slice(4).flat()).toEqual(['/assets/gone-3.js', '/assets/page-4.js'])
})

it('a new build keeps them by itself where the maker was opened before, and nowhere else', async () => {
  await open().keepAgain()
  expect(await kept()).toEqual([])
  online = false
  await open().keepFromNowOn()
  expect(await kept()).toEqual([])
  online = true
  await open().keepAgain()
  expect(await kept()).toHaveLength(2)
})

it('keeps what a page asks for before that', async () => {
  const parts = open()
  const [url = ''] = urls
  expect([parts.has(url), parts.has(`${location.origin}/assets/song-9.js`)]).toEqual([true, false])
  expect(await (await parts.fetchAndKeep(url)).text()).toBe('program')
  expect(await kept()).toEqual(['/assets/maker-1.js'])
})
