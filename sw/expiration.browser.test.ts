import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createExpirationPlugin } from './expiration.ts'

const TEST_CACHE = 'expiration-test'
const createUrl = (name: string) => new URL(`/${name}`, location.origin).href

beforeEach(async () => {
  vi.stubGlobal('__WB_DISABLE_DEV_LOGS', true)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  await caches.delete(TEST_CACHE)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function createTestPlugin() {
  const plugin = createExpirationPlugin({ cacheName: TEST_CACHE, maxEntries: 3, matchOptions: {} })
  const pendingPromises: Promise<unknown>[] = []
  const event = Object.assign(new Event('fetch'), { waitUntil: (promise: Promise<unknown>) => pendingPromises.push(promise) })
  const createParameters = (name: string) => ({ cacheName: TEST_CACHE, request: new Request(createUrl(name)), event })
  return {
    async addEntry(name: string) {
      vi.advanceTimersByTime(1)
      const newResponse = new Response(name)
      await (await caches.open(TEST_CACHE)).put(createUrl(name), newResponse.clone())
      await plugin.cacheDidUpdate?.({ ...createParameters(name), newResponse })
    },
    async replaceEntry(name: string) {
      await plugin.cacheDidUpdate?.({ ...createParameters(name), oldResponse: new Response(name), newResponse: new Response(name) })
    },
    async respondFromCache(name: string) {
      vi.advanceTimersByTime(1)
      await plugin.cachedResponseWillBeUsed?.({ ...createParameters(name), cachedResponse: new Response(name) })
    },
    async finishRecording() {
      vi.advanceTimersByTime(2_000)
      await Promise.all(pendingPromises)
    },
  }
}

const listEntries = async () => (await (await caches.open(TEST_CACHE)).keys()).map(({ url }) => new URL(url).pathname.slice(1))

it('expiration: of too many entries, the one whose last use is the longest ago is deleted', async () => {
  const plugin = createTestPlugin()
  for (const name of ['a', 'b', 'c']) await plugin.addEntry(name)
  await plugin.respondFromCache('a')
  await plugin.finishRecording()
  expect(await listEntries()).toEqual(['a', 'b', 'c'])
  await plugin.addEntry('d')
  await plugin.finishRecording()
  expect(await listEntries()).toEqual(['a', 'c', 'd'])
})

it('expiration: the times of all entries are read once after entries were added, and not if entries were only used or replaced', async () => {
  const openCursor = vi.spyOn(IDBIndex.prototype, 'openCursor')
  const plugin = createTestPlugin()
  for (const name of ['a', 'b', 'c']) await plugin.addEntry(name)
  await plugin.finishRecording()
  expect(openCursor).toHaveBeenCalledOnce()
  for (const name of ['a', 'b', 'c']) await plugin.respondFromCache(name)
  await plugin.replaceEntry('a')
  await plugin.finishRecording()
  expect(openCursor).toHaveBeenCalledOnce()
})
