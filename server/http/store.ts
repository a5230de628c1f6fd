import { randomBytes } from 'node:crypto'
import type { Database, Queries } from '../storage/database.ts'
import type { SaltStore } from '../storage/interfaces/salts.ts'

/** Deletes the salts of the days before `day`, and the reports under ids that were made with them. */
export async function deleteSaltsBefore(queries: Queries, day: number): Promise<void> {
  for (const table of ['daily_salts', 'duration_reports'] as const) await queries.deleteFrom(table).where('day', '<', day).execute()
}

export function createSaltStore(database: Database): SaltStore {
  const readSalt = async (day: number) =>
    (await database.queries.selectFrom('daily_salts').select('salt').where('day', '=', day).executeTakeFirst())?.salt
  return {
    ofDay: async (day) =>
      (await readSalt(day)) ??
      (await database.write(async (queries) => {
        await deleteSaltsBefore(queries, day)
        await queries
          .insertInto('daily_salts')
          .values({ day, salt: randomBytes(32).toString('base64url') })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        return (await queries.selectFrom('daily_salts').select('salt').where('day', '=', day).executeTakeFirstOrThrow()).salt
      })),
  }
}
