import { randomBytes } from 'node:crypto'
import { DAY_MS } from '../durations.ts'
import type { Database, Queries, SqlTypes } from '../storage/database.ts'

/** The salt of a day's client ids. `day` is days since the epoch, UTC. */
interface DailySaltsTable {
  day: number
  salt: string
}

declare module '../storage/schema.ts' {
  interface Tables {
    daily_salts: DailySaltsTable
  }
}

export const createDailySaltsTable = ({ text }: SqlTypes): string[] => [
  `create table daily_salts (day integer primary key, salt ${text} not null)`,
]

async function deleteSaltsBefore(queries: Queries, day: number): Promise<void> {
  for (const table of ['daily_salts', 'duration_reports'] as const) await queries.deleteFrom(table).where('day', '<', day).execute()
}

/** Deletes the salts of the days before the day of `atMs`, and the reports whose client ids were made with these salts. */
export const deleteOldSalts = (queries: Queries, atMs: number): Promise<void> => deleteSaltsBefore(queries, Math.floor(atMs / DAY_MS))

export function createSaltStore(database: Database) {
  const readSalt = async (day: number) =>
    (await database.queries.selectFrom('daily_salts').select('salt').where('day', '=', day).executeTakeFirst())?.salt
  return {
    /**
     * Returns the random salt of a day (days since the epoch, UTC), which all processes of the database share. Deletes the salts of earlier days.
     */
    ofDay: async (dayNumber: number): Promise<string> =>
      (await readSalt(dayNumber)) ??
      (await database.write(async (queries) => {
        await deleteSaltsBefore(queries, dayNumber)
        await queries
          .insertInto('daily_salts')
          .values({ day: dayNumber, salt: randomBytes(32).toString('base64url') })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        return (await queries.selectFrom('daily_salts').select('salt').where('day', '=', dayNumber).executeTakeFirstOrThrow()).salt
      })),
  }
}
export type SaltStore = ReturnType<typeof createSaltStore>
