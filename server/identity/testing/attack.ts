import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectFasterThan } from '../../../testing/timing.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'

type AttackAction = 'signUp' | 'signInWithPassword'
interface AttackResult {
  /** `in` after a successful login, otherwise the error code of the response. */
  resultCode: string
  durationMs: number
}

/**
 * Creates an HTTP client of the server at `getOrigin()`, with one connection for each running request. Unlike `fetch`, it has no timeout while
 * the machine is busy. It sends the client's IP address in a proxy's header.
 */
function createClient(getOrigin: () => string) {
  const agent = new Agent({ keepAlive: true })
  const postRequest = (urlPath: string, headers: Record<string, string>, requestBody: string) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      request(`${getOrigin()}${urlPath}`, { method: 'POST', agent, headers }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
      })
        .on('error', reject)
        .end(requestBody)
    })
  async function sendAction(action: AttackAction, userName: string, password: string, ipAddress: string): Promise<AttackResult> {
    const startMs = performance.now()
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': ipAddress }
    const credentials = JSON.stringify({ email: `${userName}@example.com`, password, returnSecureToken: true })
    const { status, body } = await postRequest(`/identitytoolkit.googleapis.com/v1/accounts:${action}?key=any`, headers, credentials)
    const code = status === 400 ? /[A-Z_]{5,}/.exec(body)?.[0] : undefined
    return { resultCode: status === 200 ? 'in' : (code ?? String(status)), durationMs: performance.now() - startMs }
  }
  return { ask: sendAction, closeConnections: () => agent.destroy() }
}

const countResults = (attackResults: readonly AttackResult[], code: string) =>
  attackResults.filter(({ resultCode }) => resultCode === code).length

/** Registers tests that send concurrent logins with wrong passwords over HTTP, with real hashes and delays. */
export function describePasswordAttackTests({ atOneAccount, fromOneAddress }: { atOneAccount: number; fromOneAddress: number }): void {
  vi.setConfig({ testTimeout: 300_000 })

  describe('password guessing', () => {
    let site: TestApp
    let siteOrigin = ''
    beforeEach(async () => {
      site = await createTestApp({ TRUST_PROXY: '127.0.0.1' }, { hasProductionPasswordCost: true })
      siteOrigin = await site.app.listen({ host: '127.0.0.1', port: 0 })
    })
    afterEach(() => site.close())
    const { ask, closeConnections } = createClient(() => siteOrigin)
    afterAll(closeConnections)
    const signUp = (name: string) => ask('signUp', name, 'the right one', '10.200.0.1')
    const sendGuesses = (guessCount: number, guessAt: (i: number) => { name: string; address: string }) =>
      Promise.all(
        Array.from({ length: guessCount }, (_, guessIndex) => {
          const { name, address } = guessAt(guessIndex)
          return ask('signInWithPassword', name, 'a wrong one', address)
        }),
      )
    /** Logs in. While the server is overloaded, retries as a user would. */
    async function logIn(accountName: string, ipAddress: string): Promise<AttackResult> {
      const startMs = performance.now()
      for (;;) {
        const { resultCode } = await ask('signInWithPassword', accountName, 'the right one', ipAddress)
        if (resultCode !== '503') return { resultCode, durationMs: performance.now() - startMs }
        await sleep(500)
      }
    }

    it(`${atOneAccount} guesses at one account from different addresses are delayed; its owner and other users can still log in`, async () => {
      await signUp('ann')
      await signUp('bob')
      await logIn('ann', '10.200.0.2')
      const attackPromise = sendGuesses(atOneAccount, (i) => ({ name: 'ann', address: `10.1.${i >> 8}.${i & 255}` }))
      // Waits until the attempts with a delay of two seconds are in the password queue.
      await sleep(2200)
      const [trustedLogin, untrustedLogin, otherUserLogin] = await Promise.all([
        ...[logIn('ann', '10.200.0.2'), logIn('ann', '10.200.0.3'), logIn('bob', '10.200.0.4')],
      ])
      const attackResults = await attackPromise
      expect([trustedLogin?.resultCode, untrustedLogin?.resultCode, otherUserLogin?.resultCode]).toEqual(['in', 'in', 'in'])
      // Checks that no attempt is refused for too many attempts, because that would lock the owner out as well.
      expect(countResults(attackResults, 'INVALID_LOGIN_CREDENTIALS') + countResults(attackResults, '503')).toBe(atOneAccount)
      expect(attackResults.filter(({ durationMs }) => durationMs < 1000).length).toBeLessThanOrEqual(20)
      // Checks that a login from a trusted address, and a login of another user, are far faster than an untrusted login to the attacked account.
      const untrustedLoginMs = untrustedLogin?.durationMs ?? 0
      expectFasterThan(trustedLogin?.durationMs ?? Number.POSITIVE_INFINITY, untrustedLoginMs / 4)
      expectFasterThan(otherUserLogin?.durationMs ?? Number.POSITIVE_INFINITY, untrustedLoginMs / 4)
    })

    it(`${fromOneAddress} guesses at different accounts from one address are limited to 100; the owners can still log in from elsewhere`, async () => {
      await signUp('ann')
      const attackPromise = sendGuesses(fromOneAddress, (i) => ({ name: i === 0 ? 'ann' : `nobody-${i}`, address: '10.1.1.1' }))
      const ownerResult = await logIn('ann', '10.200.0.3')
      const attackResults = await attackPromise
      expect(ownerResult.resultCode).toBe('in')
      expect(countResults(attackResults, 'INVALID_LOGIN_CREDENTIALS')).toBe(100)
      expect(countResults(attackResults, 'TOO_MANY_ATTEMPTS_TRY_LATER')).toBe(fromOneAddress - 100)
      expect((await ask('signInWithPassword', 'ann', 'the right one', '10.1.1.1')).resultCode).toBe('TOO_MANY_ATTEMPTS_TRY_LATER')
    })
  })
}
