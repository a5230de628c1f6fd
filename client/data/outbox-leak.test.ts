import { expect, it, vi } from 'vitest'
import { ApiCallError } from '../platform/api.ts'
import { createEmitter } from '../primitives/emitter.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { createOutbox } from './outbox.ts'

/** Runs pending microtasks only. Another test's database in the same worker could start a timer during a longer wait. */
async function runMicrotasks(): Promise<void> {
  for (let run = 0; run < 100; run++) await undefined
}

it('outbox: close removes every listener, subscription and timer, including the retry timer of a pending request', async () => {
  vi.useFakeTimers()
  try {
    const [signInChanges, connectionChanges] = [createEmitter(), createEmitter()]
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
        identity: {
          getSnapshot: () => undefined,
          subscribe: signInChanges.subscribe,
          token: async () => undefined,
          loginSignal: () => new AbortController().signal,
        },
        connection: { offline: false, subscribe: connectionChanges.subscribe },
        syncs: [],
        onApplied: async () => {},
        page,
      })
    const countResources = () => [listenedEventTypes.size, signInChanges.listenerCount, connectionChanges.listenerCount, vi.getTimerCount()]
    for (const isRequestPending of [false, true]) {
      const outbox = createTestOutbox()
      await runMicrotasks()
      await outbox.add({ id: 'a', uid: '', call: 'POST /song/play', body: { s: 's', change_id: 'a' } })
      await runMicrotasks()
      if (!isRequestPending) {
        failCall(new ApiCallError('network', 0, 'No connection to the server.'))
        await runMicrotasks()
        expect(countResources(), 'the retry is scheduled').toEqual([3, 1, 1, 1])
      }
      outbox.close()
      failCall(new ApiCallError('network', 0, 'No connection to the server.'))
      await runMicrotasks()
      expect(countResources()).toEqual([0, 0, 0, 0])
    }
  } finally {
    vi.useRealTimers()
  }
})

it('outbox: rows are sent even if the browser refuses broadcast channels and locks, as Firefox does when it blocks cookies', async () => {
  const ignore = () => {}
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  const callApi = vi.fn(() => new Promise<never>(ignore))
  const outbox = createOutbox({
    database: createMemoryDatabase(),
    api: { call: callApi },
    identity: {
      getSnapshot: () => undefined,
      subscribe: () => ignore,
      token: async () => undefined,
      loginSignal: () => new AbortController().signal,
    },
    connection: { offline: false, subscribe: () => ignore },
    syncs: [],
    onApplied: async () => {},
    page: {
      addEventListener: ignore,
      removeEventListener: ignore,
      navigator: { locks: { request: async () => refuse() } },
      BroadcastChannel: class extends BroadcastChannel {
        constructor(channelName: string) {
          refuse()
          super(channelName)
        }
      },
    },
  })
  await outbox.add({ id: 'a', uid: '', call: 'POST /song/play', body: { s: 's', change_id: 'a' } })
  await runMicrotasks()
  expect(callApi).toHaveBeenCalledTimes(1)
  outbox.close()
})
