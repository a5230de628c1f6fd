import { setTimeout as sleep } from 'node:timers/promises'
import { type Attempts, createAttempts } from './attempts.ts'
import { IdentityError, OverloadError } from './identity-error.ts'

const WINDOW_MS = 15 * 60_000
/** Failures of one account, from all addresses together, and how long each further attempt on it then waits. */
const SLOWER: readonly (readonly [failures: number, delayMs: number])[] = [
  [500, 3000],
  [100, 2000],
  [20, 1000],
]
const SLOWED_MAX = 500

const tooMany = () => new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER', 'Too many failed attempts. Please try again later.')

interface GuardOptions {
  pairMax: number
  addressMax: number
  nowMs: () => number
  wait?: (ms: number) => Promise<unknown>
}

/**
 * Bounds guessing of passwords: by address and account together, by address, and by account. An account is only slowed, never
 * locked, so that nobody can shut its owner out. Whether the account exists makes no difference.
 */
export function createLogInGuard({ pairMax, addressMax, nowMs, wait = sleep }: GuardOptions) {
  const pairs = createAttempts({ windowMs: WINDOW_MS, max: pairMax, nowMs })
  const addresses = createAttempts({ windowMs: WINDOW_MS, max: addressMax, nowMs })
  const accounts: Attempts = createAttempts({ windowMs: WINDOW_MS, max: SLOWER[0]?.[0] ?? 0, nowMs })
  let slowed = 0

  async function slowDown(email: string): Promise<void> {
    const failures = accounts.count(email)
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

  /** Runs `attempt`, which gives `undefined` where the password was wrong. @throws IdentityError where it may not be tried now */
  return async function guard<T>(clientId: string, email: string, attempt: () => Promise<T | undefined>): Promise<T | undefined> {
    const pair = `${clientId} ${email}`
    if (!pairs.take(pair)) throw tooMany()
    if (!addresses.take(clientId)) {
      pairs.giveBack(pair)
      throw tooMany()
    }
    let failed = false
    try {
      await slowDown(email)
      const result = await attempt()
      failed = result === undefined
      return result
    } finally {
      if (failed) accounts.take(email)
      else {
        pairs.giveBack(pair)
        addresses.giveBack(clientId)
      }
    }
  }
}
export type LogInGuard = ReturnType<typeof createLogInGuard>
