import { hash, verify } from '@node-rs/argon2'
import { brands } from '../../brands/registry.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../contract/form-rules.ts'
import { createFairQueue } from '../http/fair-queue.ts'
import frequent from './frequent-passwords.json' with { type: 'json' }
import { IdentityError, OverloadError } from './identity-error.ts'
import { createSecret } from './secrets.ts'

/** The cost parameters of argon2id, the library's default variant. */
export interface PasswordCost {
  /** The memory of one hash in KiB. */
  memoryCost: number
  /** The number of passes over the memory. */
  timeCost: number
  /** The number of lanes of argon2id, which can be computed in parallel. */
  parallelism: number
}
/** The parameters of argon2id that OWASP recommends. */
const RECOMMENDED_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * The number of password hashes that are computed at the same time: each occupies 19 MiB and a thread of libuv's pool, which file access and DNS
 * lookups need too.
 */
const CONCURRENT_HASHES_MAX = 2
/** The maximum number of password hashes that wait to be computed. Two cores compute that many in about 20 s. */
const WAITING_HASHES_MAX = 1200
/** The maximum time that a job waits in the queue. It is shorter than the 30 s after which the Firebase SDK gives up. */
const HASH_WAIT_MAX_MS = 20_000

/** The maximum length of a password that is verified. It exceeds `PASSWORD_MAX_LENGTH`, because earlier versions allowed longer passwords. */
const VERIFIED_PASSWORD_MAX_LENGTH = 4096

const frequentPasswords = new Set(frequent.passwords.split(' '))
const siteNames = new Set(
  ['varispeed', ...brands.map(({ settings }) => settings.NAME.toLowerCase())].flatMap((name) => [name, name.replaceAll(' ', '')]),
)

/** Checks a new password of the account with this email address. @throws IdentityError if the password violates the policy */
export function checkPasswordPolicy(password: string, email: string): void {
  // Code points are counted: a character beyond the Basic Multilingual Plane, such as an emoji, is one.
  if ([...password].length < PASSWORD_MIN_LENGTH)
    throw new IdentityError('WEAK_PASSWORD', `Password should be at least ${PASSWORD_MIN_LENGTH} characters`)
  if (password.length > PASSWORD_MAX_LENGTH)
    throw new IdentityError('PASSWORD_DOES_NOT_MEET_REQUIREMENTS', `Password should be at most ${PASSWORD_MAX_LENGTH} characters`)
  const normalizedPassword = password.normalize('NFC').toLowerCase()
  if (frequentPasswords.has(normalizedPassword))
    throw new IdentityError('WEAK_PASSWORD', 'Password is one of the 10,000 most frequent ones')
  if (siteNames.has(normalizedPassword) || normalizedPassword === email || normalizedPassword === email.slice(0, email.lastIndexOf('@')))
    throw new IdentityError('WEAK_PASSWORD', 'Password is the address of the account or the name of the site')
}

interface HashQueueOptions {
  jobsMax: number
  waitingMax: number
  waitMaxMs: number
}

interface WaitingJob {
  lane: string
  resume: () => void
  refuse: (reason: OverloadError) => void
}

/**
 * Creates the function that runs jobs: at most `jobsMax` at the same time, while at most `waitingMax` wait, for at most `waitMaxMs`. Lanes take turns, so that
 * many jobs of one lane do not delay another lane.
 * @throws OverloadError from the returned function if too many jobs wait or the job waited too long
 */
export function createJobQueue({ jobsMax, waitingMax, waitMaxMs }: HashQueueOptions) {
  let runningCount = 0
  const waitingJobs = createFairQueue<WaitingJob>(waitingMax)

  /** When a job has finished, starts the next waiting job, which then counts as running in its place. */
  function releaseSlot(): void {
    const nextJob = waitingJobs.take()
    if (nextJob === undefined) runningCount--
    else nextJob.resume()
  }

  return async function runInQueue<T>(laneKey: string, runJob: () => Promise<T>): Promise<T> {
    if (runningCount < jobsMax) runningCount++
    else {
      const waitStartMs = performance.now()
      await new Promise<void>((resume, refuse) => {
        waitingJobs.add({ lane: laneKey, resume, refuse })?.refuse(new OverloadError('too many passwords to check at once'))
      })
      if (performance.now() - waitStartMs > waitMaxMs) {
        releaseSlot()
        throw new OverloadError('a password waited too long to be checked')
      }
    }
    try {
      return await runJob()
    } finally {
      releaseSlot()
    }
  }
}

/** Hashes and verifies passwords through a bounded queue. */
export function createPasswordHasher(cost = RECOMMENDED_COST) {
  const runInQueue = createJobQueue({ jobsMax: CONCURRENT_HASHES_MAX, waitingMax: WAITING_HASHES_MAX, waitMaxMs: HASH_WAIT_MAX_MS })
  const dummyHash = hash(createSecret(), cost)
  // The empty handler prevents an unhandled rejection before the first use awaits the promise.
  dummyHash.catch(() => undefined)
  return {
    /** Hashes the composed form (NFC), because keyboards of some systems write the same password in another Unicode form. */
    hash: (lane: string, password: string): Promise<string> => runInQueue(lane, () => hash(password.normalize('NFC'), cost)),
    /** Verifies against a dummy hash if `storedHash` is undefined, so that the duration does not disclose whether the account exists. */
    async matches(laneKey: string, storedHash: string | undefined, password: string): Promise<boolean> {
      const comparedHash = storedHash ?? (await dummyHash)
      const typedPassword = password.slice(0, VERIFIED_PASSWORD_MAX_LENGTH + 1)
      const composedPassword = typedPassword.normalize('NFC')
      const verifyText = (text: string) => runInQueue(laneKey, () => verify(comparedHash, text))
      // Earlier versions hashed the text as it was typed.
      const isSame = (await verifyText(composedPassword)) || (typedPassword !== composedPassword && (await verifyText(typedPassword)))
      return storedHash !== undefined && isSame
    },
  }
}
export type PasswordHasher = ReturnType<typeof createPasswordHasher>
