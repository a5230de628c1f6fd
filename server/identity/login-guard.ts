import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '../durations.ts'
import { createSlidingWindow } from '../http/sliding-window.ts'
import type { AttemptStore } from '../http/store-attempts.ts'
import { IdentityError, OverloadError } from './identity-error.ts'

const FAILURE_WINDOW_MS = 15 * 60_000
/**
 * The delays of a login attempt in milliseconds, by the number of failed attempts on the account from all addresses together.
 */
const FAILURE_DELAYS: readonly (readonly [failures: number, delayMs: number])[] = [
  [500, 3000],
  [100, 2000],
  [20, 1000],
]
/** The number of attempts that may be delayed at the same time. */
const DELAYED_ATTEMPTS_MAX = 2000
/** The largest number of failed attempts on an account that are counted. */
const ACCOUNT_FAILURES_MAX = 500
/** The time in milliseconds for which an address is trusted for an account after a successful login. */
const ADDRESS_TRUST_MS = 30 * DAY_MS

const createTooManyAttemptsError = () =>
  new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER', 'Too many failed attempts. Please try again later.')

interface LoginGuardOptions {
  attempts: AttemptStore
  maxFailuresPerPair: number
  maxFailuresPerAddress: number
  nowMs: () => number
  wait?: (ms: number) => Promise<unknown>
}

/**
 * Limits password guessing per address and account, per address, and per account. Attempts on an account are only delayed, never blocked, so that
 * an attacker cannot lock its owner out; attempts from an address with an earlier successful login are not delayed. Attempts on accounts that do
 * not exist are treated in the same way. All processes of the site count attempts together; each process trusts the addresses that it has seen
 * itself, because the database has no address that is kept for a month.
 */
export function createLoginGuard({ attempts, maxFailuresPerPair, maxFailuresPerAddress, nowMs, wait = sleep }: LoginGuardOptions) {
  const trustedAddresses = createSlidingWindow({ windowMs: ADDRESS_TRUST_MS, max: 1, nowMs })
  let delayedAttemptCount = 0

  async function delayAttempt(failureCount: number): Promise<void> {
    const delayMs = FAILURE_DELAYS.find(([minimum]) => failureCount >= minimum)?.[1]
    if (delayMs === undefined) return
    if (delayedAttemptCount >= DELAYED_ATTEMPTS_MAX) throw new OverloadError('too many login attempts are delayed')
    delayedAttemptCount++
    try {
      await wait(delayMs)
    } finally {
      delayedAttemptCount--
    }
  }

  /**
   * Runs `attemptLogin`, which resolves to `undefined` if the password is wrong. The argument of `attemptLogin` is the lane of the password queue to use.
   * @throws IdentityError if a limit is reached, OverloadError if too many attempts are delayed
   */
  async function guardAttempt<T>(
    clientId: string,
    email: string,
    attemptLogin: (queueLane: string) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const pairKey = `${clientId} ${email}`
    // The attempt counts as a failure until it succeeds, so that concurrent attempts delay each other.
    const countedAttempt = await attempts.take(
      [
        { key: `login account ${email}`, max: ACCOUNT_FAILURES_MAX, windowMs: FAILURE_WINDOW_MS, isOpen: true },
        { key: `login pair ${pairKey}`, max: maxFailuresPerPair, windowMs: FAILURE_WINDOW_MS },
        { key: `login address ${clientId}`, max: maxFailuresPerAddress, windowMs: FAILURE_WINDOW_MS },
      ],
      nowMs(),
    )
    if (countedAttempt === undefined) throw createTooManyAttemptsError()
    const [failureCount = 0] = countedAttempt.earlier
    const isAddressTrusted = trustedAddresses.count(pairKey) > 0
    let hasFailed = false
    try {
      if (!isAddressTrusted) await delayAttempt(failureCount)
      const attemptResult = await attemptLogin(isAddressTrusted ? pairKey : email)
      hasFailed = attemptResult === undefined
      if (!hasFailed) trustedAddresses.take(pairKey)
      return attemptResult
    } finally {
      if (!hasFailed) await attempts.giveBack(countedAttempt)
    }
  }
  return Object.assign(guardAttempt, {
    /** Whether the client has logged in to the account in the last 30 days. */
    isTrusted: (clientId: string, email: string) => trustedAddresses.count(`${clientId} ${email}`) > 0,
  })
}
export type LoginGuard = ReturnType<typeof createLoginGuard>
