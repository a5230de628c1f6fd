import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { evictAboveLimits } from './eviction.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { createResource } from './resource.ts'

const YEAR_MS = 365 * 24 * 3_600_000
const NOW_MS = Date.UTC(2026, 10, 20)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  vi.setSystemTime(NOW_MS)
})
afterEach(() => {
  vi.useRealTimers()
})

it.each([
  ['back', NOW_MS - 10 * YEAR_MS],
  ['forward', NOW_MS + 10 * YEAR_MS],
])('clock: rows become stale after some seconds even if the clock is set %s by years', async (_, clockTimeMs) => {
  const request = vi.fn(async () => ({ rows: 1, write: async () => {} }))
  const resource = createResource<number>({ key: 'k', database: createMemoryDatabase(), read: async () => 1, request })
  await resource.refresh()
  vi.setSystemTime(clockTimeMs)
  await resource.refresh()
  expect(request, 'the rows are still fresh').toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(11_000)
  await resource.refresh()
  expect(request).toHaveBeenCalledTimes(2)
})

it('clock: rows whose last use lies in the future, because the clock was set back, are evicted first', async () => {
  const database = createMemoryDatabase()
  await database.change(async (tables) => {
    await tables.lists.put(['old', 'future', 'new'].map((key) => ({ key, ids: [], complete: true })))
    await tables.visits.put([
      { key: 'old', fetchedAtMs: 1, usedAtMs: NOW_MS - YEAR_MS },
      { key: 'future', fetchedAtMs: 1, usedAtMs: NOW_MS + YEAR_MS },
      { key: 'new', fetchedAtMs: 1, usedAtMs: NOW_MS },
    ])
  })
  const remainingKeys: string[][] = []
  for (const listLimit of [2, 1]) {
    await evictAboveLimits(database, { songs: 10, lists: listLimit, details: 10, bytes: 1e9 }, { keys: [], songIds: [] })
    await database.change(async (tables) => {
      remainingKeys.push((await tables.lists.keys()).sort())
    })
  }
  expect(remainingKeys).toEqual([['new', 'old'], ['new']])
})
