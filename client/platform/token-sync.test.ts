import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTokenSync } from './token-sync.ts'

const MINUTE_MS = 60_000
let answers: (Response | Error)[] = []
let sent: { atMs: number; method: string | undefined; bearer: string | null }[] = []
let startedMs = 0
let page = new EventTarget() as unknown as Window

const fetch: typeof globalThis.fetch = async (_url, init) => {
  sent.push({ atMs: Date.now() - startedMs, method: init?.method, bearer: new Headers(init?.headers).get('Authorization') })
  const answer = answers.length > 1 ? answers.shift() : answers[0]
  if (answer === undefined) return new Response(null, { status: 204 })
  if (answer instanceof Error) throw answer
  return answer.clone()
}
const create = () => createTokenSync({ url: 'https://elsewhere.example/token', fetch, page })

beforeEach(() => {
  vi.useFakeTimers()
  startedMs = Date.now()
  answers = []
  sent = []
  page = new EventTarget() as unknown as Window
})
afterEach(() => vi.useRealTimers())

it('posts the token as bearer, and deletes it when there is none', async () => {
  const sync = create()
  sync.tell('one')
  await vi.advanceTimersByTimeAsync(0)
  sync.tell(undefined)
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS)
  expect(sent).toEqual([
    { atMs: 0, method: 'POST', bearer: 'Bearer one' },
    { atMs: 0, method: 'DELETE', bearer: null },
  ])
})

it('sends the same token once', async () => {
  const sync = create()
  sync.tell('one')
  sync.tell('one')
  await vi.advanceTimersByTimeAsync(0)
  expect(sent).toHaveLength(1)
})

it('tries again after 30 s, doubling up to 16 minutes', async () => {
  answers = [new TypeError('Failed to fetch')]
  create().tell('one')
  await vi.advanceTimersByTimeAsync(64 * MINUTE_MS)
  const waits = sent.map(({ atMs }, index) => (atMs - (sent[index - 1]?.atMs ?? 0)) / 1000).slice(1)
  expect(waits).toEqual([30, 60, 120, 240, 480, 960, 960, 960])
})

it('takes an error of the server for a failure', async () => {
  answers = [new Response(null, { status: 503 }), new Response(null, { status: 200 })]
  create().tell('one')
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS)
  expect(sent.map(({ atMs }) => atMs)).toEqual([0, 30_000])
})

it('gives up an older token for a newer one, and begins the waits anew', async () => {
  answers = [new TypeError('Failed to fetch')]
  const sync = create()
  sync.tell('one')
  await vi.advanceTimersByTimeAsync(31_000)
  sync.tell('two')
  await vi.advanceTimersByTimeAsync(31_000)
  expect(sent.map(({ bearer }) => bearer)).toEqual(['Bearer one', 'Bearer one', 'Bearer two', 'Bearer two'])
})

it('tries at once when the connection is back, and only what failed', async () => {
  answers = [new TypeError('Failed to fetch'), new Response(null, { status: 200 })]
  create().tell('one')
  await vi.advanceTimersByTimeAsync(5_000)
  page.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(sent.map(({ atMs }) => atMs)).toEqual([0, 5_000])
  page.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS)
  expect(sent).toHaveLength(2)
})

it('is silent once it is closed', async () => {
  answers = [new TypeError('Failed to fetch')]
  const sync = create()
  sync.tell('one')
  await vi.advanceTimersByTimeAsync(0)
  sync.close()
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS)
  expect(sent).toHaveLength(1)
})
