import { hash, verify } from '@node-rs/argon2'
import { IdentityError, OverloadError } from './identity-error.ts'
import { newSecret } from './secrets.ts'

/** OWASP's first choice for argon2id, which is the library's default kind: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Each job takes a thread of the pool that files and name look-ups use too, and 19 MiB. */
const JOBS_MAX = 2
/** About 20 s of work on two cores. */
const WAITING_MAX = 1200
/** Who waited longer has given up, or is about to: the SDK does after 30 s. */
const WAIT_MAX_MS = 20_000

export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 4096

/** @throws IdentityError saying what the policy wants */
export function checkPolicy(password: string): void {
  if (password.length < PASSWORD_MIN) throw new IdentityError('WEAK_PASSWORD', `Password should be at least ${PASSWORD_MIN} characters`)
  if (password.length > PASSWORD_MAX)
    throw new IdentityError('PASSWORD_DOES_NOT_MEET_REQUIREMENTS', `Password should be at most ${PASSWORD_MAX} characters`)
}

interface QueueOptions {
  jobsMax: number
  waitingMax: number
  waitMaxMs: number
}

/**
 * Runs at most `jobsMax` jobs at once and lets `waitingMax` wait for `waitMaxMs`, in lanes that are served in turns: however many wait in one,
 * the first in another is soon there. @throws OverloadError for who comes when all places are taken, and for who waited too long
 */
export function createQueue({ jobsMax, waitingMax, waitMaxMs }: QueueOptions) {
  let running = 0
  let waiting = 0
  /** Who waits, by lane; the lane that is served next comes first. */
  const lanes = new Map<string, (() => void)[]>()

  /** Hands a place that is free to who is next, so that nobody who comes in between takes it. */
  function handOver(): void {
    for (const [lane, line] of lanes) {
      lanes.delete(lane)
      const go = line.shift()
      if (line.length > 0) lanes.set(lane, line)
      waiting--
      go?.()
      return
    }
    running--
  }

  return async function run<T>(lane: string, job: () => Promise<T>): Promise<T> {
    if (running >= jobsMax) {
      if (waiting >= waitingMax) throw new OverloadError('too many passwords to check at once')
      waiting++
      const sinceMs = performance.now()
      await new Promise<void>((go) => {
        const line = lanes.get(lane)
        if (line === undefined) lanes.set(lane, [go])
        else line.push(go)
      })
      if (performance.now() - sinceMs > waitMaxMs) {
        handOver()
        throw new OverloadError('a password waited too long to be checked')
      }
    } else running++
    try {
      return await job()
    } finally {
      handOver()
    }
  }
}

/** Hashes of passwords, with a bound on the work. */
export function createPasswords() {
  const run = createQueue({ jobsMax: JOBS_MAX, waitingMax: WAITING_MAX, waitMaxMs: WAIT_MAX_MS })
  const dummy = hash(newSecret(), COST)
  // Awaited at its first use; until then a failure waits there.
  dummy.catch(() => undefined)
  return {
    /** Those of one lane wait for each other, here and below. */
    hash: (lane: string, password: string): Promise<string> => run(lane, () => hash(password, COST)),
    /** Takes as long where there is no account, and then says no. */
    async matches(lane: string, stored: string | undefined, password: string): Promise<boolean> {
      const against = stored ?? (await dummy)
      const same = await run(lane, () => verify(against, password.slice(0, PASSWORD_MAX + 1)))
      return stored !== undefined && same
    },
  }
}
export type Passwords = ReturnType<typeof createPasswords>
