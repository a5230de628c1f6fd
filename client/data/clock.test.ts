import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { evict } from './eviction.ts'
import { createMemoryStore } from './memory-store.ts'
import { createResource } from './resource.ts'

const YEAR_MS = 365 * 24 * 3_600_000
const NOW = Date.UTC(2026, 10, 20)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  vi.setSystemTime(NOW)
})
afterEach(() => {
  vi.useRealTimers()
})

it.each([
  ['back', NOW - 10 * YEAR_MS],
  ['forward', NOW + 10 * YEAR_MS],
])('asks the server again after a while when the clock was set %s by years', async (_, setTo) => {
  const ask = vi.fn(async () => ({ rows: 1, write: async () => {} }))
  const resource = createResource<number>({ key: 'k', store: createMemoryStore(), read: async () => 1, ask })
  await resource.refresh()
  vi.setSystemTime(setTo)
  await resource.refresh()
  expect(ask, 'it is fresh, whatever the clock says').toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(11_000)
  await resource.refresh()
  expect(ask).toHaveBeenCalledTimes(2)
})

it('lets go of what was used in the future first', async () => {
  const store = createMemoryStore()
  await store.change(async (tables) => {
    await tables.lists.put(['old', 'future', 'new'].map((key) => ({ key, ids: [], complete: true })))
    await tables.visits.put([
      { key: 'old', fetchedAtMs: 1, usedAtMs: NOW - YEAR_MS },
      { key: 'future', fetchedAtMs: 1, usedAtMs: NOW + YEAR_MS },
      { key: 'new', fetchedAtMs: 1, usedAtMs: NOW },
    ])
  })
  const left: string[][] = []
  for (const lists of [2, 1]) {
    await evict(store, { songs: 10, lists, details: 10, bytes: 1e9 }, { keys: [], songIds: [] })
    await store.change(async (tables) => {
      left.push((await tables.lists.keys()).sort())
    })
  }
  expect(left).toEqual([['new', 'old'], ['new']])
})
