import { describe, expect, it } from 'vitest'
import { createCachedResponse, createReadCache } from './read-cache.ts'

function setUp(cacheOverrides: { maxEntries?: number; maxBytes?: number } = {}) {
  const cacheState = { revision: 1, nowMs: 0 }
  const readCache = createReadCache({
    getRevision: () => cacheState.revision,
    nowMs: () => cacheState.nowMs,
    ttlMs: 1000,
    maxEntries: cacheOverrides.maxEntries ?? 100,
    maxBytes: cacheOverrides.maxBytes ?? 100_000,
  })
  return { state: cacheState, cache: readCache }
}
const createResponse = (body: string) => createCachedResponse(200, body, {})

describe('read cache', () => {
  it('read cache: a cached response is returned only for the same site and URL', () => {
    const { cache } = setUp()
    cache.set('a /x', 1, createResponse('one'))
    expect(cache.get('a /x')?.body.toString()).toBe('one')
    expect(cache.get('b /x')).toBeUndefined()
    expect(cache.get('a /y')).toBeUndefined()
  })

  it('read cache: a new revision of the data clears all entries', () => {
    const { cache, state } = setUp()
    cache.set('a /x', 1, createResponse('one'))
    state.revision = 2
    expect(cache.get('a /x')).toBeUndefined()
  })

  it('read cache: a response that was read before a change is not stored after it', () => {
    const { cache, state } = setUp()
    state.revision = 2
    cache.set('a /x', 1, createResponse('old'))
    expect(cache.get('a /x')).toBeUndefined()
  })

  it('read cache: entries expire after their time to live', () => {
    const { cache, state } = setUp()
    cache.set('a /x', 1, createResponse('one'))
    state.nowMs = 999
    expect(cache.get('a /x')).toBeDefined()
    state.nowMs = 1000
    expect(cache.get('a /x')).toBeUndefined()
  })

  it('read cache: the number of entries is limited, and recently used entries stay', () => {
    const { cache } = setUp({ maxEntries: 20 })
    cache.set('a /hot', 1, createResponse('hot'))
    for (let index = 0; index < 500; index++) {
      cache.set(`a /${index}`, 1, createResponse('cold'))
      expect(cache.get('a /hot')).toBeDefined()
    }
    expect(cache.size()).toBeLessThanOrEqual(20)
    expect(cache.get('a /1')).toBeUndefined()
  })

  it('read cache: the total size is limited, and oversized responses are not stored', () => {
    const { cache } = setUp({ maxBytes: 8000 })
    for (let index = 0; index < 100; index++) cache.set(`a /${index}`, 1, createResponse('x'.repeat(900)))
    expect(cache.size()).toBeLessThanOrEqual(9)
    cache.set('a /large', 1, createResponse('x'.repeat(1001)))
    expect(cache.get('a /large')).toBeUndefined()
  })
})
