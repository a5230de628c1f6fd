import { describe, expect, it } from 'vitest'
import { createAnswer, createReadCache } from './read-cache.ts'

function setUp(over: { maxEntries?: number; maxBytes?: number } = {}) {
  const state = { revision: 1, nowMs: 0 }
  const cache = createReadCache({
    revision: () => state.revision,
    nowMs: () => state.nowMs,
    ttlMs: 1000,
    maxEntries: over.maxEntries ?? 100,
    maxBytes: over.maxBytes ?? 100_000,
  })
  return { state, cache }
}
const answer = (body: string) => createAnswer(200, body, {})

describe('read cache', () => {
  it('gives what was set for the same site and URL only', () => {
    const { cache } = setUp()
    cache.set('a ', '/x', 1, answer('one'))
    expect(cache.get('a ', '/x')?.body.toString()).toBe('one')
    expect(cache.get('b ', '/x')).toBeUndefined()
    expect(cache.get('a ', '/y')).toBeUndefined()
  })

  it('drops everything with a new revision', () => {
    const { cache, state } = setUp()
    cache.set('a ', '/x', 1, answer('one'))
    state.revision = 2
    expect(cache.get('a ', '/x')).toBeUndefined()
  })

  it('does not keep an answer that a change overtook', () => {
    const { cache, state } = setUp()
    state.revision = 2
    cache.set('a ', '/x', 1, answer('old'))
    expect(cache.get('a ', '/x')).toBeUndefined()
  })

  it('ends after its time', () => {
    const { cache, state } = setUp()
    cache.set('a ', '/x', 1, answer('one'))
    state.nowMs = 999
    expect(cache.get('a ', '/x')).toBeDefined()
    state.nowMs = 1000
    expect(cache.get('a ', '/x')).toBeUndefined()
  })

  it('stays bounded and keeps what is asked for', () => {
    const { cache } = setUp({ maxEntries: 20 })
    cache.set('a ', '/hot', 1, answer('hot'))
    for (let index = 0; index < 500; index++) {
      cache.set('a ', `/${index}`, 1, answer('cold'))
      expect(cache.get('a ', '/hot')).toBeDefined()
    }
    expect(cache.size()).toBeLessThanOrEqual(20)
    expect(cache.get('a ', '/1')).toBeUndefined()
  })

  it('is bounded in bytes, and leaves out what is too large for it', () => {
    const { cache } = setUp({ maxBytes: 8000 })
    for (let index = 0; index < 100; index++) cache.set('a ', `/${index}`, 1, answer('x'.repeat(900)))
    expect(cache.size()).toBeLessThanOrEqual(9)
    cache.set('a ', '/large', 1, answer('x'.repeat(1001)))
    expect(cache.get('a ', '/large')).toBeUndefined()
  })
})
