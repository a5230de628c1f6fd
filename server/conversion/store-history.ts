import type { Database, Queries, SqlTypes } from '../storage/database.ts'
import type { Pagination } from '../storage/pagination.ts'

/** The rows of files that were exported from the maker, by uid of an account of this server or of a Firebase project. */
interface MakeHistoryTable {
  uid: string
  /** The id of the file, unique within an account only. */
  id: string
  file_name: string
  file_size: number
  speed: number
  pitch: number
  created: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    make_history: MakeHistoryTable
  }
}

export const createConversionHistoryTable = ({ text, real }: SqlTypes): string[] => [
  `create table make_history (
    uid ${text} not null, id ${text} not null, file_name ${text} not null, file_size bigint not null, speed ${real} not null,
    pitch ${real} not null, created bigint not null, primary key (uid, id))`,
  'create index make_history_by_time on make_history (uid, created, id)',
]

/** A file that an account exported from the maker. */
export interface ExportedFileRow {
  id: string
  file_name: string
  file_size: number
  speed: number
  /** The change of pitch in semitones. */
  pitch: number
  /** The time of the export in ISO 8601 UTC. */
  created: string
}

/** Maximum number of files stored per account. Older files are deleted. */
const MAX_FILES_PER_ACCOUNT = 1000

const toExportedFileRow = ({ id, file_name, file_size, speed, pitch, created }: MakeHistoryTable): ExportedFileRow => ({
  id,
  file_name,
  file_size,
  speed,
  pitch,
  created: new Date(created).toISOString(),
})

const selectNewestFirst = (queries: Queries, uid: string) =>
  queries.selectFrom('make_history').where('uid', '=', uid).orderBy('created', 'desc').orderBy('id', 'desc')

export async function deleteConversionHistory(queries: Queries, uid: string): Promise<void> {
  await queries.deleteFrom('make_history').where('uid', '=', uid).execute()
}

/** A file that is added, with the time of its export in epoch milliseconds. */
export type NewExportedFile = Omit<ExportedFileRow, 'created'> & { createdMs: number }

/** Adds a file and returns its row. If the account already has a file with this id, that row is returned unchanged. */
export async function addExportedFile(
  queries: Queries,
  uid: string,
  { createdMs, ...fileFields }: NewExportedFile,
): Promise<ExportedFileRow> {
  const { id, file_name, file_size, speed, pitch } = fileFields
  const fileRow = { uid, id, file_name, file_size, speed, pitch, created: createdMs }
  const addedRow = await queries
    .insertInto('make_history')
    .values(fileRow)
    .onConflict((conflict) => conflict.columns(['uid', 'id']).doNothing())
    .executeTakeFirst()
  if (addedRow.numInsertedOrUpdatedRows !== 1n) {
    const storedFileRow = await queries
      .selectFrom('make_history')
      .selectAll()
      .where('uid', '=', uid)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return toExportedFileRow(storedFileRow)
  }
  await queries
    .deleteFrom('make_history')
    .where('uid', '=', uid)
    .where('id', 'in', selectNewestFirst(queries, uid).select('id').limit(MAX_FILES_PER_ACCOUNT).offset(MAX_FILES_PER_ACCOUNT))
    .execute()
  return toExportedFileRow(fileRow)
}

/** Stores the newest 1,000 exported files of each account, by uid of an account of this server or of a Firebase project. */
export function createConversionHistoryStore(database: Database) {
  return {
    add: (uid: string, file: NewExportedFile): Promise<ExportedFileRow> => database.write((queries) => addExportedFile(queries, uid, file)),
    /** Lists the exported files of an account, newest first. */
    list: async (uid: string, { limit, offset }: Pagination): Promise<ExportedFileRow[]> => {
      const rows = await selectNewestFirst(database.queries, uid).selectAll().limit(limit).offset(offset).execute()
      return rows.map(toExportedFileRow)
    },
  }
}
