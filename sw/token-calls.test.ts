import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTokenCallHandler, isTokenCall } from './token-calls.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const createRenewalRequest = (refreshToken: string) =>
  new Request('http://localhost/securetoken.googleapis.com/v1/token?key=k', { method: 'POST', body: `refresh_token=${refreshToken}` })
const createLookupRequest = () =>
  new Request('https://identitytoolkit.googleapis.com/v1/accounts:lookup?key=k', { method: 'POST', body: '{}' })
const respondAfter = (ms: number, text: string) => new Promise<Response>((resolve) => setTimeout(() => resolve(new Response(text)), ms))
const readOutcome = async (response: Promise<Response>) => {
  const { type, status } = await response
  return type === 'error' ? 'no answer' : String(status)
}
const ignoreWaitUntil = () => {}

it.each([
  ['http://localhost:8080/identitytoolkit.googleapis.com/v1/accounts:lookup?key=x', true],
  ['http://localhost:8080/securetoken.googleapis.com/v1/token?key=x', true],
  ['https://identitytoolkit.googleapis.com/v1/accounts:lookup', true],
  ['https://securetoken.googleapis.com/v1/token', true],
  ['http://localhost:8080/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword', true],
  ['http://localhost:8080/identitytoolkit.googleapis.com/v1/accounts:sendOobCode', false],
  ['http://localhost:8080/api/account/getinfo', false],
  ['https://evil.example/x-securetoken.googleapis.com/v1/token', false],
])('token calls: whether %s is a token call: %s', (url, isExpected) => {
  expect(isTokenCall(new URL(url))).toBe(isExpected)
})

it('token calls: a response that arrives in time is passed through', async () => {
  const { answer } = createTokenCallHandler({ fetch: () => respondAfter(2_900, 'account') })
  const answeredCall = answer(createLookupRequest(), ignoreWaitUntil)
  await vi.advanceTimersByTimeAsync(2_900)
  expect(await (await answeredCall).text()).toBe('account')
})

it('token calls: a call fails like a network error after three seconds, and immediately when offline', async () => {
  const { answer: answerSlowly } = createTokenCallHandler({ fetch: () => respondAfter(30_000, 'late') })
  const answeredCall = readOutcome(answerSlowly(createLookupRequest(), ignoreWaitUntil))
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await answeredCall).toBe('no answer')
  const { answer: answerOffline } = createTokenCallHandler({ fetch: () => Promise.reject(new TypeError('Failed to fetch')) })
  expect(await readOutcome(answerOffline(createRenewalRequest('one'), ignoreWaitUntil))).toBe('no answer')
})

it.each(['signInWithPassword', 'signUp', 'update'])(
  'token calls: the slow lookup of an account after %s is not ended early',
  async (runOperation) => {
    const { answer } = createTokenCallHandler({ fetch: () => respondAfter(20_000, 'account') })
    const signInCall = answer(
      new Request(`http://localhost/identitytoolkit.googleapis.com/v1/accounts:${runOperation}?key=k`, { method: 'POST', body: '{}' }),
      ignoreWaitUntil,
    )
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await readOutcome(signInCall)).toBe('200')
    const lookupOutcome = readOutcome(answer(createLookupRequest(), ignoreWaitUntil))
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await lookupOutcome).toBe('200')
    await vi.advanceTimersByTimeAsync(60_000)
    const laterLookup = readOutcome(answer(createLookupRequest(), ignoreWaitUntil))
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await laterLookup).toBe('no answer')
  },
)

it('token calls: a renewal that arrives late is the response to the next call with the same token', async () => {
  let fetchCount = 0
  const { answer } = createTokenCallHandler({ fetch: () => respondAfter(5_000, `renewal ${++fetchCount}`) })
  let isDone = false
  const lateOutcome = readOutcome(
    answer(createRenewalRequest('one'), (pendingCall) => {
      void pendingCall.then(() => {
        isDone = true
      })
    }),
  )
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await lateOutcome).toBe('no answer')
  expect(isDone, 'the worker stays alive until the answer').toBe(false)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(isDone).toBe(true)
  expect(await (await answer(createRenewalRequest('one'), ignoreWaitUntil)).text()).toBe('renewal 1')
  expect(fetchCount).toBe(1)
})

it('token calls: simultaneous calls with one token share a renewal; another token is renewed separately', async () => {
  let fetchCount = 0
  const { answer } = createTokenCallHandler({ fetch: () => respondAfter(100, `renewal ${++fetchCount}`) })
  const answeredCalls = ['one', 'one', 'two'].map((refreshToken) =>
    answer(createRenewalRequest(refreshToken), ignoreWaitUntil).then((response) => response.text()),
  )
  await vi.advanceTimersByTimeAsync(100)
  expect(await Promise.all(answeredCalls)).toEqual(['renewal 1', 'renewal 1', 'renewal 2'])
})

it('token calls: at sign-out, stored responses to token renewals are deleted', async () => {
  let fetchCount = 0
  const { answer, forget } = createTokenCallHandler({ fetch: async () => new Response(`renewal ${++fetchCount}`) })
  await answer(createRenewalRequest('one'), ignoreWaitUntil)
  forget()
  expect(await (await answer(createRenewalRequest('one'), ignoreWaitUntil)).text()).toBe('renewal 2')
})

it('token calls: an error response is not stored', async () => {
  let fetchCount = 0
  const { answer } = createTokenCallHandler({
    fetch: async () => (++fetchCount === 1 ? new Response('busy', { status: 503 }) : new Response('renewal')),
  })
  expect(await readOutcome(answer(createRenewalRequest('one'), ignoreWaitUntil))).toBe('503')
  expect(await readOutcome(answer(createRenewalRequest('one'), ignoreWaitUntil))).toBe('200')
})

it('token calls: a network failure is not stored', async () => {
  let fetchCount = 0
  const { answer } = createTokenCallHandler({
    fetch: async () => {
      if (++fetchCount === 1) throw new TypeError('Failed to fetch')
      return new Response('renewal')
    },
  })
  expect(await readOutcome(answer(createRenewalRequest('one'), ignoreWaitUntil))).toBe('no answer')
  expect(await readOutcome(answer(createRenewalRequest('one'), ignoreWaitUntil))).toBe('200')
})
