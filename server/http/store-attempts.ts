import { createHash, randomUUID } from 'node:crypto'
import { DAY_MS } from '../durations.ts'
import type { Database, Queries, SqlTypes } from '../storage/database.ts'
import { createSaltStore } from './store.ts'

/** Counted attempts. An attempt has one row for each of its keys, which are hashes. */
interface AttemptsTable {
  id: string
  key: string
  expires: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    attempts: AttemptsTable
  }
}

export const createAttemptsTable = ({ text }: SqlTypes): string[] => [
  `create table attempts (id ${text} not null, key ${text} not null, expires bigint not null, primary key (key, id))`,
  'create index attempts_by_id on attempts (id)',
  'create index attempts_by_time on attempts (expires)',
]

export async function deleteOldAttempts(queries: Queries, atMs: number): Promise<void> {
  await queries.deleteFrom('attempts').where('expires', '<=', atMs).execute()
}

/** A limit of attempts by key in a sliding window. */
export interface AttemptLimit {
  key: string
  max: number
  windowMs: number
  /** Whether attempts beyond `max` are accepted, but no longer counted. */
  isOpen?: boolean
}

/** An attempt that was counted. `earlier` has, for each limit in order, the number of attempts before this one. */
export interface CountedAttempt {
  id: string
  earlier: readonly number[]
}

/**
 * Counts attempts in all processes of the site together. Unlike `createSlidingWindow`, it writes to the database for every attempt, and it forgets
 * all attempts at midnight (UTC): keys are stored as hashes with the salt of the day, so that no key can be traced to a client afterwards.
 */
export function createAttemptStore(database: Database) {
  const { dialect } = database
  const saltStore = createSaltStore(database)

  async function hashLimitKeys(limits: readonly AttemptLimit[], attemptedAtMs: number): Promise<string[]> {
    const salt = await saltStore.ofDay(Math.floor(attemptedAtMs / DAY_MS))
    return limits.map(({ key }) => createHash('sha256').update(`attempt ${salt} ${key}`).digest('base64url').slice(0, 22))
  }

  return {
    /**
     * Counts an attempt under each key, and returns `undefined` without counting it if one of the limits is reached. Call it before the work, so that
     * concurrent attempts count.
     */
    take: async (limits: readonly AttemptLimit[], attemptedAtMs: number): Promise<CountedAttempt | undefined> => {
      const hashedKeys = await hashLimitKeys(limits, attemptedAtMs)
      return database.write(async (queries) => {
        await dialect.lock(queries, hashedKeys)
        const attemptRows = await queries
          .selectFrom('attempts')
          .select((eb) => ['key', eb.fn.countAll<number>().as('count')])
          .where('key', 'in', hashedKeys)
          .where('expires', '>', attemptedAtMs)
          .groupBy('key')
          .execute()
        const countByKey = new Map(attemptRows.map(({ key, count }) => [key, count]))
        const earlierCounts = hashedKeys.map((key) => countByKey.get(key) ?? 0)
        const areLimitsReached = limits.map(({ max }, index) => (earlierCounts[index] ?? 0) >= max)
        if (limits.some(({ isOpen }, index) => areLimitsReached[index] && isOpen !== true)) return undefined
        const attemptId = randomUUID()
        const newRows = limits.flatMap(({ windowMs }, index) => {
          const key = hashedKeys[index]
          return key === undefined || areLimitsReached[index] ? [] : [{ id: attemptId, key, expires: attemptedAtMs + windowMs }]
        })
        if (newRows.length > 0) await queries.insertInto('attempts').values(newRows).execute()
        return { id: attemptId, earlier: earlierCounts }
      })
    },
    /** Removes an attempt, for instance because the login succeeded. */
    giveBack: ({ id }: Pick<CountedAttempt, 'id'>): Promise<void> =>
      database.write(async (queries) => {
        await queries.deleteFrom('attempts').where('id', '=', id).execute()
      }),
  }
}
export type AttemptStore = ReturnType<typeof createAttemptStore>
