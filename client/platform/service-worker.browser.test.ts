import { afterEach, expect, it, vi } from 'vitest'
import { createBusyTracker } from './busy.ts'
import { createServiceWorkerBridge } from './service-worker.ts'

afterEach(() => {
  vi.useRealTimers()
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
