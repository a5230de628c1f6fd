import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSessionCalls, isSessionCall } from './session.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const token = (shown: string) =>
  new Request('http://localhost/securetoken.googleapis.com/v1/token?key=k', { method: 'POST', body: `refresh_token=${shown}` })
const lookup = () => new Request('https://identitytoolkit.googleapis.com/v1/accounts:lookup?key=k', { method: 'POST', body: '{}' })
const after = (ms: number, text: string) => new Promise<Response>((resolve) => setTimeout(() => resolve(new Response(text)), ms))
const outcome = async (response: Promise<Response>) => {
  const { type, status } = await response
  return type === 'error' ? 'no answer' : String(status)
}
const keepAlive = () => {}

it.each([
  ['http://localhost:8080/identitytoolkit.googleapis.com/v1/accounts:lookup?key=x', true],
  ['http://localhost:8080/securetoken.googleapis.com/v1/token?key=x', true],
  ['https://identitytoolkit.googleapis.com/v1/accounts:lookup', true],
  ['https://securetoken.googleapis.com/v1/token', true],
  ['http://localhost:8080/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword', false],
  ['http://localhost:8080/api/account/getinfo', false],
  ['https://evil.example/x-securetoken.googleapis.com/v1/token', false],
])('knows %s: %s', (url, is) => {
  expect(isSessionCall(new URL(url))).toBe(is)
})

it('passes on what comes in time', async () => {
  const { answer } = createSessionCalls({ fetch: () => after(2_900, 'session') })
  const given = answer(lookup(), keepAlive)
  await vi.advanceTimersByTimeAsync(2_900)
  expect(await (await given).text()).toBe('session')
})

it('fails as a network does after three seconds, and without a network at once', async () => {
  const { answer: slow } = createSessionCalls({ fetch: () => after(30_000, 'late') })
  const given = outcome(slow(lookup(), keepAlive))
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await given).toBe('no answer')
  const { answer: offline } = createSessionCalls({ fetch: () => Promise.reject(new TypeError('Failed to fetch')) })
  expect(await outcome(offline(token('one'), keepAlive))).toBe('no answer')
})

it('keeps a renewal that came too late for the next who shows the same token', async () => {
  let asked = 0
  const { answer } = createSessionCalls({ fetch: () => after(5_000, `renewal ${++asked}`) })
  let ended = false
  const late = outcome(
    answer(token('one'), (work) => {
      void work.then(() => {
        ended = true
      })
    }),
  )
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await late).toBe('no answer')
  expect(ended, 'the worker stays for it').toBe(false)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(ended).toBe(true)
  expect(await (await answer(token('one'), keepAlive)).text()).toBe('renewal 1')
  expect(asked).toBe(1)
})

it('gives tabs that ask at once the same renewal, and asks for each token by itself', async () => {
  let asked = 0
  const { answer } = createSessionCalls({ fetch: () => after(100, `renewal ${++asked}`) })
  const given = ['one', 'one', 'two'].map((shown) => answer(token(shown), keepAlive).then((response) => response.text()))
  await vi.advanceTimersByTimeAsync(100)
  expect(await Promise.all(given)).toEqual(['renewal 1', 'renewal 1', 'renewal 2'])
})

it('keeps nothing of a session that has ended', async () => {
  let asked = 0
  const { answer, forget } = createSessionCalls({ fetch: async () => new Response(`renewal ${++asked}`) })
  await answer(token('one'), keepAlive)
  forget()
  expect(await (await answer(token('one'), keepAlive)).text()).toBe('renewal 2')
})

it('asks again after an answer that holds no session', async () => {
  let asked = 0
  const { answer } = createSessionCalls({
    fetch: async () => (++asked === 1 ? new Response('busy', { status: 503 }) : new Response('renewal')),
  })
  expect(await outcome(answer(token('one'), keepAlive))).toBe('503')
  expect(await outcome(answer(token('one'), keepAlive))).toBe('200')
})

it('asks again after a failure', async () => {
  let asked = 0
  const { answer } = createSessionCalls({
    fetch: async () => {
      if (++asked === 1) throw new TypeError('Failed to fetch')
      return new Response('renewal')
    },
  })
  expect(await outcome(answer(token('one'), keepAlive))).toBe('no answer')
  expect(await outcome(answer(token('one'), keepAlive))).toBe('200')
})
