import { type ConversionFormat, type ConversionState, conversionFormats, conversionStates } from '../../contract/conversion-rules.ts'
import type { ConversionsTable } from '../storage/conversion-tables.ts'
import { type Database, type Queries, serialise } from '../storage/database.ts'
import type { Conversion, ConversionStore } from '../storage/interfaces/conversions.ts'

const unfinishedStates: ConversionState[] = ['queued', 'running']

const isState = (text: string): text is ConversionState => conversionStates.some((state) => state === text)
const isFormat = (text: string): text is ConversionFormat => conversionFormats.some((format) => format === text)

function conversionOf({ state, format, ...row }: ConversionsTable): Conversion {
  if (!isState(state) || !isFormat(format)) throw new TypeError(`conversion ${row.id} has the state ${state} and the format ${format}`)
  return { ...row, state, format }
}

/** Deletes the conversions of an account. Their files are deleted by `createConversions`. */
export async function deleteConversions(queries: Queries, uid: string): Promise<void> {
  await queries.deleteFrom('conversions').where('uid', '=', uid).execute()
}

async function countSince(source: Queries, uid: string, sinceMs: number): Promise<number> {
  const row = await source
    .selectFrom('conversions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('uid', '=', uid)
    .where('created', '>', sinceMs)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

export function createConversionStore(database: Database): ConversionStore {
  const { queries } = database
  return {
    add: (conversion, limit, sinceMs) =>
      database.write(async (write) => {
        // Of several that an account begins at once, each sees those before it.
        await serialise(write)
        if ((await countSince(write, conversion.uid, sinceMs)) >= limit) return 'too-many'
        const { numInsertedOrUpdatedRows } = await write
          .insertInto('conversions')
          .values(conversion)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirst()
        return numInsertedOrUpdatedRows === 1n ? 'done' : 'exists'
      }),
    countSince: (uid, sinceMs) => countSince(queries, uid, sinceMs),
    find: async (id) => {
      const row = await queries.selectFrom('conversions').selectAll().where('id', '=', id).executeTakeFirst()
      return row && conversionOf(row)
    },
    update: (id, changes) =>
      database.write(async (write) => {
        await write.updateTable('conversions').set(changes).where('id', '=', id).where('state', 'in', unfinishedStates).execute()
      }),
    listUnfinished: async () =>
      (await queries.selectFrom('conversions').selectAll().where('state', 'in', unfinishedStates).orderBy('created').execute()).map(
        conversionOf,
      ),
    listDone: async (uid) =>
      (await queries.selectFrom('conversions').selectAll().where('uid', '=', uid).where('state', '=', 'done').execute()).map(conversionOf),
    sumBytes: async (uid) => {
      const rows = queries.selectFrom('conversions').$if(uid !== undefined, (query) => query.where('uid', '=', uid ?? ''))
      const uploads = await rows
        .select((eb) => eb.fn.sum<number>('upload_bytes').as('bytes'))
        .where('state', 'in', unfinishedStates)
        .executeTakeFirst()
      const files = await rows.select((eb) => eb.fn.sum<number>('file_bytes').as('bytes')).executeTakeFirst()
      return Number(uploads?.bytes ?? 0) + Number(files?.bytes ?? 0)
    },
    deleteBefore: (beforeMs) =>
      database.write(async (write) => {
        await write.deleteFrom('conversions').where('created', '<', beforeMs).execute()
      }),
    listIds: async () => (await queries.selectFrom('conversions').select('id').execute()).map(({ id }) => id),
    deleteAll: (uid) => database.write((write) => deleteConversions(write, uid)),
  }
}
