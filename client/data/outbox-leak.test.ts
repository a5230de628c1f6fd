import { expect, it, vi } from 'vitest'
import { ApiCallError } from '../platform/api.ts'
import { createEmitter } from '../primitives/emitter.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { createOutbox, retryDelayMs } from './outbox.ts'
import { emptyFavoriteSync } from './testing/empty-favorite-sync.ts'

it('outbox: close removes every listener, subscription and timer, a retry of a pending request included', async () => {
  vi.useFakeTimers()
  const started = vi.spyOn(globalThis, 'setTimeout')
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  // Counts by the delay, because a database of other tests in the same worker starts timers of its own.
  const countRetries = () =>
    started.mock.calls.filter(
      ([, delayMs], at) => delayMs === retryDelayMs(1) && cleared.mock.calls.every(([timer]) => timer !== started.mock.results[at]?.value),
    ).length
  try {
    const [signedIn, connected] = [createEmitter(), createEmitter()]
    const listenedEventTypes = new Set<unknown>()
    const page = {
      addEventListener: (type: string) => void listenedEventTypes.add(type),
      removeEventListener: (type: string) => void listenedEventTypes.delete(type),
      navigator: {},
    }
    let failCall = (_error: ApiCallError) => {}
    const createTestOutbox = () =>
      createOutbox({
        database: createMemoryDatabase(),
        api: {
          call: () =>
            new Promise<never>((_, reject) => {
              failCall = reject
            }),
        },
        identity: { getSnapshot: () => undefined, subscribe: signedIn.subscribe, token: async () => undefined },
        connection: { offline: false, subscribe: connected.subscribe },
        favorites: emptyFavoriteSync,
        onApplied: async () => {},
        page,
      })
    const countResources = () => [listenedEventTypes.size, signedIn.listenerCount, connected.listenerCount, countRetries()]
    for (const isPending of [false, true]) {
      const outbox = createTestOutbox()
      await vi.advanceTimersByTimeAsync(0)
      await outbox.add({ id: 'a', uid: '', call: 'POST /song/play', body: { s: 's', change_id: 'a' } })
      await vi.advanceTimersByTimeAsync(0)
      if (!isPending) {
        failCall(new ApiCallError('network', 0, 'No connection to the server.'))
        await vi.advanceTimersByTimeAsync(0)
        expect(countResources(), 'the retry is scheduled').toEqual([3, 1, 1, 1])
      }
      outbox.close()
      failCall(new ApiCallError('network', 0, 'No connection to the server.'))
      await vi.advanceTimersByTimeAsync(0)
      expect(countResources()).toEqual([0, 0, 0, 0])
    }
  } finally {
    started.mockRestore()
    cleared.mockRestore()
    vi.useRealTimers()
  }
})
