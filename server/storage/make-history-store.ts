import type { Database, Queries } from './database.ts'
import type { MakeHistoryTable } from './schema.ts'
import type { MadeFileRow, MakeHistoryStore } from './storage.ts'

/** How many files of an account are remembered: the newest. */
const KEPT_MAX = 1000

const rowOf = ({ id, file_name, file_size, speed, pitch, created }: MakeHistoryTable): MadeFileRow => ({
  ...{ id, file_name, file_size, speed, pitch },
  created: new Date(created).toISOString(),
})

const newestFirst = (queries: Queries, uid: string) =>
  queries.selectFrom('make_history').where('uid', '=', uid).orderBy('created', 'desc').orderBy('id', 'desc')

export async function forgetMakeHistory(queries: Queries, uid: string): Promise<void> {
  await queries.deleteFrom('make_history').where('uid', '=', uid).execute()
}

export function createMakeHistoryStore(database: Database): MakeHistoryStore {
  return {
    add: (uid, { id, file_name, file_size, speed, pitch, createdMs }) =>
      database.write(async (queries) => {
        const file = { uid, id, file_name, file_size, speed, pitch, created: createdMs }
        const added = await queries
          .insertInto('make_history')
          .values(file)
          .onConflict((conflict) => conflict.columns(['uid', 'id']).doNothing())
          .executeTakeFirst()
        if (added.numInsertedOrUpdatedRows !== 1n) {
          const known = await queries
            .selectFrom('make_history')
            .selectAll()
            .where('uid', '=', uid)
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
          return rowOf(known)
        }
        await queries
          .deleteFrom('make_history')
          .where('uid', '=', uid)
          .where('id', 'in', newestFirst(queries, uid).select('id').limit(KEPT_MAX).offset(KEPT_MAX))
          .execute()
        return rowOf(file)
      }),
    all: async (uid, { limit, offset }) => {
      const rows = await newestFirst(database.queries, uid).selectAll().limit(limit).offset(offset).execute()
      return rows.map(rowOf)
    },
    forget: (uid) => database.write((queries) => forgetMakeHistory(queries, uid)),
  }
}
