import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTokenSync } from './token-sync.ts'

const MINUTE_MS = 60_000
let queuedResponses: (Response | Error)[] = []
let sentRequests: { atMs: number; method: string | undefined; bearer: string | null }[] = []
let syncStartedAtMs = 0
let page = new EventTarget() as unknown as Window

const fetchRecorded: typeof globalThis.fetch = async (_url, init) => {
  sentRequests.push({ atMs: Date.now() - syncStartedAtMs, method: init?.method, bearer: new Headers(init?.headers).get('Authorization') })
  const response = queuedResponses.length > 1 ? queuedResponses.shift() : queuedResponses[0]
  if (response === undefined) return new Response(null, { status: 204 })
  if (response instanceof Error) throw response
  return response.clone()
}
const createTestTokenSync = () => createTokenSync({ url: 'https://elsewhere.example/token', fetch: fetchRecorded, page })

beforeEach(() => {
  vi.useFakeTimers()
  syncStartedAtMs = Date.now()
  queuedResponses = []
  sentRequests = []
  page = new EventTarget() as unknown as Window
})
afterEach(() => vi.useRealTimers())

it('token sync: a token is posted as a bearer token; without a token, DELETE is sent', async () => {
  const sync = createTestTokenSync()
  sync.setToken('one')
  await vi.advanceTimersByTimeAsync(0)
  sync.setToken(undefined)
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS)
  expect(sentRequests).toEqual([
    { atMs: 0, method: 'POST', bearer: 'Bearer one' },
    { atMs: 0, method: 'DELETE', bearer: null },
  ])
})

it('token sync: the same token is sent once', async () => {
  const sync = createTestTokenSync()
  sync.setToken('one')
  sync.setToken('one')
  await vi.advanceTimersByTimeAsync(0)
  expect(sentRequests).toHaveLength(1)
})

it('token sync: a failed request is retried after 30 s, and the delay doubles up to 16 minutes', async () => {
  queuedResponses = [new TypeError('Failed to fetch')]
  createTestTokenSync().setToken('one')
  await vi.advanceTimersByTimeAsync(64 * MINUTE_MS)
  const waitsSeconds = sentRequests.map(({ atMs }, index) => (atMs - (sentRequests[index - 1]?.atMs ?? 0)) / 1000).slice(1)
  expect(waitsSeconds).toEqual([30, 60, 120, 240, 480, 960, 960, 960])
})

it('token sync: an error status counts as a failure', async () => {
  queuedResponses = [new Response(null, { status: 503 }), new Response(null, { status: 200 })]
  createTestTokenSync().setToken('one')
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS)
  expect(sentRequests.map(({ atMs }) => atMs)).toEqual([0, 30_000])
})

it('token sync: a newer token replaces an older one that is not sent yet, and restarts the delays', async () => {
  queuedResponses = [new TypeError('Failed to fetch')]
  const sync = createTestTokenSync()
  sync.setToken('one')
  await vi.advanceTimersByTimeAsync(31_000)
  sync.setToken('two')
  await vi.advanceTimersByTimeAsync(31_000)
  expect(sentRequests.map(({ bearer }) => bearer)).toEqual(['Bearer one', 'Bearer one', 'Bearer two', 'Bearer two'])
})

it('token sync: a failed request is retried immediately when the network returns', async () => {
  queuedResponses = [new TypeError('Failed to fetch'), new Response(null, { status: 200 })]
  createTestTokenSync().setToken('one')
  await vi.advanceTimersByTimeAsync(5_000)
  page.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(sentRequests.map(({ atMs }) => atMs)).toEqual([0, 5_000])
  page.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS)
  expect(sentRequests).toHaveLength(2)
})

it('token sync: after close nothing is sent', async () => {
  queuedResponses = [new TypeError('Failed to fetch')]
  const sync = createTestTokenSync()
  sync.setToken('one')
  await vi.advanceTimersByTimeAsync(0)
  sync.close()
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS)
  expect(sentRequests).toHaveLength(1)
})
