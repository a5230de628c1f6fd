import { hash, verify } from '@node-rs/argon2'
import { IdentityError, OverloadError } from './identity-error.ts'
import { newSecret } from './secrets.ts'

/** OWASP's first choice for argon2id, which is the library's default kind: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Each job takes a thread of the pool that files and name look-ups use too, and 19 MiB. */
const JOBS_MAX = 2
/** About two seconds of work; who comes later would give up waiting. */
const WAITING_MAX = 60

export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 4096

/** @throws IdentityError saying what the policy wants */
export function checkPolicy(password: string): void {
  if (password.length < PASSWORD_MIN) throw new IdentityError('WEAK_PASSWORD', `Password should be at least ${PASSWORD_MIN} characters`)
  if (password.length > PASSWORD_MAX)
    throw new IdentityError('PASSWORD_DOES_NOT_MEET_REQUIREMENTS', `Password should be at most ${PASSWORD_MAX} characters`)
}

/** Runs at most `jobsMax` jobs at once and lets `waitingMax` wait. @throws OverloadError for those after them */
export function createQueue(jobsMax: number, waitingMax: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async function run<T>(job: () => Promise<T>): Promise<T> {
    if (running >= jobsMax) {
      if (waiting.length >= waitingMax) throw new OverloadError('too many passwords to check at once')
      // Whoever ends hands its place over, so that nobody who comes in between takes it.
      await new Promise<void>((go) => waiting.push(go))
    } else running++
    try {
      return await job()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

/** Hashes of passwords, with a bound on the work. */
export function createPasswords() {
  const run = createQueue(JOBS_MAX, WAITING_MAX)
  const hashPassword = (password: string) => run(() => hash(password, COST))
  const dummy = hash(newSecret(), COST)
  // Awaited at its first use; until then a failure waits there.
  dummy.catch(() => undefined)
  return {
    hash: hashPassword,
    /** Takes as long where there is no account, and then says no. */
    async matches(stored: string | undefined, password: string): Promise<boolean> {
      const against = stored ?? (await dummy)
      const same = await run(() => verify(against, password.slice(0, PASSWORD_MAX + 1)))
      return stored !== undefined && same
    },
  }
}
export type Passwords = ReturnType<typeof createPasswords>
