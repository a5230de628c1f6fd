import { setTimeout as sleep } from 'node:timers/promises'
import { createAttempts } from './attempts.ts'
import { IdentityError, OverloadError } from './identity-error.ts'

const WINDOW_MS = 15 * 60_000
/** Failures of one account, from all addresses together, and how long each further attempt on it then waits. */
const SLOWER: readonly (readonly [failures: number, delayMs: number])[] = [
  [500, 3000],
  [100, 2000],
  [20, 1000],
]
const SLOWED_MAX = 2000
/** How long the address of a log-in that succeeded is known as one of the account's owner. */
const KNOWN_MS = 30 * 24 * 3_600_000

const tooMany = () => new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER', 'Too many failed attempts. Please try again later.')

interface GuardOptions {
  pairMax: number
  addressMax: number
  nowMs: () => number
  wait?: (ms: number) => Promise<unknown>
}

/**
 * Bounds guessing of passwords: by address and account together, by address, and by account. An account is only slowed, never
 * locked, so that nobody can shut its owner out; at an address where the owner logged in before, not even that. Whether the account exists
 * makes no difference.
 */
export function createLogInGuard({ pairMax, addressMax, nowMs, wait = sleep }: GuardOptions) {
  const pairs = createAttempts({ windowMs: WINDOW_MS, max: pairMax, nowMs })
  const addresses = createAttempts({ windowMs: WINDOW_MS, max: addressMax, nowMs })
  const accounts = createAttempts({ windowMs: WINDOW_MS, max: SLOWER[0]?.[0] ?? 0, nowMs })
  const known = createAttempts({ windowMs: KNOWN_MS, max: 1, nowMs })
  let slowed = 0

  async function slowDown(failures: number): Promise<void> {
    const delayMs = SLOWER.find(([least]) => failures >= least)?.[1]
    if (delayMs === undefined) return
    if (slowed >= SLOWED_MAX) throw new OverloadError('too many log-ins wait')
    slowed++
    try {
      await wait(delayMs)
    } finally {
      slowed--
    }
  }

  /**
   * Runs `attempt`, which gives `undefined` where the password was wrong; it is told whose turn it takes where many wait.
   * @throws IdentityError where it may not be tried now
   */
  return async function guard<T>(
    clientId: string,
    email: string,
    attempt: (lane: string) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const pair = `${clientId} ${email}`
    if (!pairs.take(pair)) throw tooMany()
    if (!addresses.take(clientId)) {
      pairs.giveBack(pair)
      throw tooMany()
    }
    const isKnown = known.count(pair) > 0
    const failures = accounts.count(email)
    // An attempt counts as a failure until it is none: many at once slow each other down.
    const counted = accounts.take(email)
    let failed = false
    try {
      if (!isKnown) await slowDown(failures)
      const result = await attempt(isKnown ? pair : email)
      failed = result === undefined
      if (!failed) known.take(pair)
      return result
    } finally {
      if (!failed) {
        if (counted) accounts.giveBack(email)
        pairs.giveBack(pair)
        addresses.giveBack(clientId)
      }
    }
  }
}
export type LogInGuard = ReturnType<typeof createLogInGuard>
