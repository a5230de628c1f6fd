import type { Database, Queries } from '../storage/database.ts'
import type { MadeFileRow, MakeHistoryStore } from '../storage/interfaces/make-history.ts'
import type { MakeHistoryTable } from '../storage/schema.ts'

/** Maximum number of files stored per account. Older files are deleted. */
const MAX_FILES = 1000

const rowOf = ({ id, file_name, file_size, speed, pitch, created }: MakeHistoryTable): MadeFileRow => ({
  id,
  file_name,
  file_size,
  speed,
  pitch,
  created: new Date(created).toISOString(),
})

const newestFirst = (queries: Queries, uid: string) =>
  queries.selectFrom('make_history').where('uid', '=', uid).orderBy('created', 'desc').orderBy('id', 'desc')

export async function deleteMakeHistory(queries: Queries, uid: string): Promise<void> {
  await queries.deleteFrom('make_history').where('uid', '=', uid).execute()
}

export function createMakeHistoryStore(database: Database): MakeHistoryStore {
  return {
    add: (uid, { id, file_name, file_size, speed, pitch, createdMs }) =>
      database.write(async (queries) => {
        const file = { uid, id, file_name, file_size, speed, pitch, created: createdMs }
        const addedRow = await queries
          .insertInto('make_history')
          .values(file)
          .onConflict((conflict) => conflict.columns(['uid', 'id']).doNothing())
          .executeTakeFirst()
        if (addedRow.numInsertedOrUpdatedRows !== 1n) {
          const storedFileRow = await queries
            .selectFrom('make_history')
            .selectAll()
            .where('uid', '=', uid)
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
          return rowOf(storedFileRow)
        }
        await queries
          .deleteFrom('make_history')
          .where('uid', '=', uid)
          .where('id', 'in', newestFirst(queries, uid).select('id').limit(MAX_FILES).offset(MAX_FILES))
          .execute()
        return rowOf(file)
      }),
    list: async (uid, { limit, offset }) => {
      const rows = await newestFirst(database.queries, uid).selectAll().limit(limit).offset(offset).execute()
      return rows.map(rowOf)
    },
    deleteAll: (uid) => database.write((queries) => deleteMakeHistory(queries, uid)),
  }
}
