import { afterEach, expect, it, vi } from 'vitest'
import { createBusy } from './busy.ts'
import { createServiceWorkerBridge } from './service-worker.ts'

afterEach(() => vi.useRealTimers())

it('says why it could not be registered, and tries again, later each time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let tries = 0
  const bridge = createServiceWorkerBridge({
    busy: createBusy(),
    reload: () => {},
    loadCare: async () => {
      tries++
      throw new Error('No connection.')
    },
  })
  bridge.start()
  await expect.poll(() => bridge.offlineReady()).toEqual({ state: 'failed', reason: 'No connection.' })
  expect(tries).toBe(1)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(tries).toBe(2)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(tries).toBe(2)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(tries).toBe(3)
})
