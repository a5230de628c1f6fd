import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'

type Action = 'signUp' | 'signInWithPassword'
interface Answer {
  /** 'in', or the code of the refusal. */
  said: string
  ms: number
}

/**
 * A client of the server at `origin()`, with a connection for each call that is under way; unlike `fetch`, it gives none up while the machine
 * is busy. The server takes the address that a call comes from out of the header of a proxy.
 */
function createClient(origin: () => string) {
  const agent = new Agent({ keepAlive: true })
  const post = (path: string, headers: Record<string, string>, body: string) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      request(`${origin()}${path}`, { method: 'POST', agent, headers }, (answer) => {
        text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject)
      })
        .on('error', reject)
        .end(body)
    })
  async function ask(action: Action, name: string, password: string, address: string): Promise<Answer> {
    const startMs = performance.now()
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
    const credentials = JSON.stringify({ email: `${name}@example.com`, password, returnSecureToken: true })
    const { status, body } = await post(`/identitytoolkit.googleapis.com/v1/accounts:${action}?key=any`, headers, credentials)
    const code = status === 400 ? /[A-Z_]{5,}/.exec(body)?.[0] : undefined
    return { said: status === 200 ? 'in' : (code ?? String(status)), ms: performance.now() - startMs }
  }
  return { ask, end: () => agent.destroy() }
}

const countOf = (answers: readonly Answer[], code: string) => answers.filter(({ said }) => said === code).length

/** Log-ins with wrong passwords, all at once, over HTTP, with real hashes and real waiting. */
export function describeAttack({ atOneAccount, fromOneAddress }: { atOneAccount: number; fromOneAddress: number }): void {
  vi.setConfig({ testTimeout: 300_000 })

  describe('an attack', () => {
    let site: TestApp
    let origin = ''
    beforeEach(async () => {
      site = await createTestApp({ TRUST_PROXY: '127.0.0.1' })
      origin = await site.app.listen({ host: '127.0.0.1', port: 0 })
    })
    afterEach(() => site.close())
    const { ask, end } = createClient(() => origin)
    afterAll(end)
    const signUp = (name: string) => ask('signUp', name, 'the right one', '10.200.0.1')
    const guesses = (count: number, guess: (i: number) => { name: string; address: string }) =>
      Promise.all(
        Array.from({ length: count }, (_, i) => {
          const { name, address } = guess(i)
          return ask('signInWithPassword', name, 'a wrong one', address)
        }),
      )
    /** As a person who is told that the server is busy, and tries again. */
    async function logIn(name: string, address: string): Promise<Answer> {
      const startMs = performance.now()
      for (;;) {
        const { said } = await ask('signInWithPassword', name, 'the right one', address)
        if (said !== '503') return { said, ms: performance.now() - startMs }
        await sleep(500)
      }
    }

    it(`of ${atOneAccount} guesses at one account, each from another address, is slowed; its owner gets in meanwhile, as others do`, async () => {
      await signUp('ann')
      await signUp('bob')
      await logIn('ann', '10.200.0.2')
      const attack = guesses(atOneAccount, (i) => ({ name: 'ann', address: `10.1.${i >> 8}.${i & 255}` }))
      // By then those that were slowed to two seconds wait for their turn.
      await sleep(2200)
      const [known, elsewhere, other] = await Promise.all([
        ...[logIn('ann', '10.200.0.2'), logIn('ann', '10.200.0.3'), logIn('bob', '10.200.0.4')],
      ])
      const answers = await attack
      expect([known?.said, elsewhere?.said, other?.said]).toEqual(['in', 'in', 'in'])
      // None is told that there were too many: that would tell the owner, too.
      expect(countOf(answers, 'INVALID_LOGIN_CREDENTIALS') + countOf(answers, '503')).toBe(atOneAccount)
      expect(answers.filter(({ ms }) => ms < 1000).length).toBeLessThanOrEqual(20)
      // Where the owner logged in before, and for others, it takes about one turn.
      const elsewhereMs = elsewhere?.ms ?? 0
      expect(known?.ms).toBeLessThan(elsewhereMs / 4)
      expect(other?.ms).toBeLessThan(elsewhereMs / 4)
    })

    it(`of ${fromOneAddress} guesses at as many accounts, from one address, gets a hundred tries; owners elsewhere get in`, async () => {
      await signUp('ann')
      const attack = guesses(fromOneAddress, (i) => ({ name: i === 0 ? 'ann' : `nobody-${i}`, address: '10.1.1.1' }))
      const owner = await logIn('ann', '10.200.0.3')
      const answers = await attack
      expect(owner.said).toBe('in')
      expect(countOf(answers, 'INVALID_LOGIN_CREDENTIALS')).toBe(100)
      expect(countOf(answers, 'TOO_MANY_ATTEMPTS_TRY_LATER')).toBe(fromOneAddress - 100)
      expect((await ask('signInWithPassword', 'ann', 'the right one', '10.1.1.1')).said).toBe('TOO_MANY_ATTEMPTS_TRY_LATER')
    })
  })
}
