import { afterEach, expect, it, vi } from 'vitest'
import { createBusyTracker } from './busy.ts'
import { createServiceWorkerBridge } from './service-worker.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('a failed registration is reported with its reason, and retried with growing delays', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let attemptCount = 0
  const workerBridge = createServiceWorkerBridge({
    busy: createBusyTracker(),
    reload: () => {},
    loadMaintenance: async () => {
      attemptCount++
      throw new Error('No connection.')
    },
  })
  workerBridge.start()
  await expect.poll(() => workerBridge.offlineReady()).toEqual({ state: 'failed', reason: 'No connection.' })
  expect(attemptCount).toBe(1)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(attemptCount).toBe(2)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(attemptCount).toBe(2)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(attemptCount).toBe(3)
})

it('the document of a page is cached once it was shown for three seconds', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const cachedPaths: string[] = []
  const controller = { postMessage: ({ path }: { path: string }) => cachedPaths.push(path) }
  vi.stubGlobal('navigator', { serviceWorker: Object.assign(new EventTarget(), { controller }) })
  const notePageChange = createServiceWorkerBridge({
    busy: createBusyTracker(),
    reload: () => {},
    loadMaintenance: () => Promise.reject(new Error('Not needed.')),
  }).cacheVisitedPages()
  vi.advanceTimersByTime(2_999)
  notePageChange()
  vi.advanceTimersByTime(2_999)
  expect(cachedPaths).toEqual([])
  vi.advanceTimersByTime(1)
  expect(cachedPaths).toEqual([location.pathname + location.search])
  vi.advanceTimersByTime(60_000)
  expect(cachedPaths).toHaveLength(1)
})
