import { afterEach, expect, it, vi } from 'vitest'
import { createBusyTracker } from './busy.ts'
import { createServiceWorkerBridge } from './service-worker.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
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

it('the document of a page is cached once it was shown for three seconds, under the address that was shown', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const cachedPaths: string[] = []
  const controller = { postMessage: ({ path }: { path: string }) => cachedPaths.push(path) }
  vi.stubGlobal('navigator', { serviceWorker: Object.assign(new EventTarget(), { controller }) })
  const isHidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  const pageUrl = location.href
  const notePageShown = createServiceWorkerBridge({
    busy: createBusyTracker(),
    reload: () => {},
    loadMaintenance: () => Promise.reject(new Error('Not needed.')),
  }).cacheVisitedPages()
  const showPage = (path: string) => {
    history.replaceState(history.state, '', path)
    notePageShown()
  }
  const setHidden = (hidden: boolean) => {
    isHidden.mockReturnValue(hidden)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  try {
    showPage('/first')
    vi.advanceTimersByTime(2_999)
    showPage('/second')
    vi.advanceTimersByTime(2_999)
    expect(cachedPaths).toEqual([])
    history.replaceState(history.state, '', '/loading')
    vi.advanceTimersByTime(60_000)
    expect(cachedPaths).toEqual(['/second'])
    showPage('/third')
    setHidden(true)
    expect(cachedPaths).toEqual(['/second', '/third'])
    showPage('/in-the-background')
    vi.advanceTimersByTime(60_000)
    expect(cachedPaths).toHaveLength(2)
    setHidden(false)
    vi.advanceTimersByTime(60_000)
    expect(cachedPaths).toEqual(['/second', '/third', '/in-the-background'])
  } finally {
    history.replaceState(history.state, '', pageUrl)
  }
})
