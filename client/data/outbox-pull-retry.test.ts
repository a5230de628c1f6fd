import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Api, ApiCallError } from '../platform/api.ts'
import { createChangeSync } from './change-sync.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { computeRetryDelayMs, createOutbox, type Outbox } from './outbox.ts'
import { createSyncedPlaylists } from './own-playlist-sync.ts'

let outbox: Outbox
let requestCount: number
/** The responses of the server, in order. It answers any further request with the last one. */
let responses: (ApiCallError | { cursor: string; more: boolean })[]

beforeEach(() => {
  vi.useFakeTimers()
  requestCount = 0
})
afterEach(() => {
  outbox.close()
  vi.useRealTimers()
})

const unavailableError = new ApiCallError('api', 503, 'The database is out of reach.')

async function openPage() {
  const database = createMemoryDatabase()
  // The cast is safe, because the sync calls only this method of the API.
  const api = {
    async call() {
      const response = responses[Math.min(requestCount, responses.length - 1)]
      requestCount += 1
      if (response instanceof ApiCallError) throw response
      return { whole: requestCount === 1, playlists: [], entries: [], songs: [], refused: [], ...response }
    },
  } as unknown as Api
  outbox = createOutbox({
    database,
    api,
    identity: {
      getSnapshot: () => ({ uid: 'ann', email: 'ann@example.com', emailVerified: true }),
      subscribe: () => () => {},
      token: async () => `x.${btoa(JSON.stringify({ sub: 'ann' }))}.y`,
      loginSignal: () => new AbortController().signal,
    },
    connection: { offline: false, subscribe: () => () => {} },
    syncs: [createChangeSync({ database, getSignedInUid: () => 'ann' }, createSyncedPlaylists(database))],
    onApplied: async () => {},
    page: { addEventListener() {}, removeEventListener() {}, navigator: {} },
  })
  await outbox.drain()
  return { readCursor: () => database.read((tables) => tables.ownPlaylistCursors.get('ann')) }
}

it('outbox: if the server fails while an account is being loaded, the rest is fetched later without any event', async () => {
  responses = [{ cursor: 'e.1', more: true }, unavailableError, unavailableError, { cursor: 'e.2', more: false }]
  const { readCursor } = await openPage()
  expect([requestCount, await readCursor()]).toEqual([2, { uid: 'ann', cursor: 'e.1', more: true }])
  await vi.advanceTimersByTimeAsync(computeRetryDelayMs(1))
  expect(requestCount).toBe(3)
  await vi.advanceTimersByTimeAsync(computeRetryDelayMs(2))
  expect([requestCount, await readCursor()]).toEqual([4, { uid: 'ann', cursor: 'e.2' }])
})

it('outbox: an account that is complete is not fetched again by a timer, nor one whose request the server refuses', async () => {
  responses = [{ cursor: 'e.2', more: false }, unavailableError]
  await openPage()
  await outbox.sync()
  await vi.advanceTimersByTimeAsync(computeRetryDelayMs(20))
  expect(requestCount).toBe(2)
  outbox.close()

  requestCount = 0
  responses = [new ApiCallError('api', 403, 'No.')]
  await openPage()
  await vi.advanceTimersByTimeAsync(computeRetryDelayMs(20))
  expect(requestCount).toBe(1)
})
