import { expressionBuilder } from 'kysely'
import type { ConversionFormat, ConversionState } from '../../contract/conversion-rules.ts'
import { type Database, type Queries, type SqlTypes, serialiseTransactions } from '../storage/database.ts'
import type { Tables } from '../storage/schema.ts'
import { addExportedFile } from './store-history.ts'

/** A conversion of an uploaded song. */
export interface Conversion {
  id: string
  uid: string
  state: ConversionState
  /** The name of the converted file. */
  file_name: string
  upload_bytes: number
  /** The size of the converted file; 0 until the conversion is done. */
  file_bytes: number
  /** ffmpeg's name of the upload's format. */
  demuxer: string
  /** The number of source frames per output frame. */
  rate: number
  format: ConversionFormat
  /** The reason if the conversion failed; empty otherwise. */
  message: string
  /** The key that signs the addresses of the converted file. */
  secret: string
  /** The time when the conversion was added, in epoch milliseconds. */
  created: number
}

/**
 * `held_until` is the time until which a process holds the conversion, which the process extends; null or in the past if no process holds it.
 * `progress` is the progress at the last extension.
 */
interface ConversionsTable extends Conversion {
  held_until: number | null
  progress: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    conversions: ConversionsTable
  }
}

export const createConversionsTable = ({ text, real }: SqlTypes): string[] => [
  `create table conversions (
    id ${text} primary key, uid ${text} not null, state ${text} not null, file_name ${text} not null, upload_bytes bigint not null,
    file_bytes bigint not null, demuxer ${text} not null, rate ${real} not null, format ${text} not null,
    message ${text} not null, secret ${text} not null, created bigint not null)`,
  'create index conversions_by_account on conversions (uid, created)',
]

export const addConversionHolds = ({ real }: SqlTypes): string[] => [
  'alter table conversions add column held_until bigint',
  `alter table conversions add column progress ${real} not null default 0`,
]

const unfinishedStates: ConversionState[] = ['queued', 'running']

/** Deletes the conversions of an account. Their files are deleted by `createConversionService`. */
export async function deleteConversions(queries: Queries, uid: string): Promise<void> {
  await queries.deleteFrom('conversions').where('uid', '=', uid).execute()
}

async function countConversionsSince(queries: Queries, uid: string, sinceMs: number): Promise<number> {
  const conversionRow = await queries
    .selectFrom('conversions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('uid', '=', uid)
    .where('created', '>', sinceMs)
    .executeTakeFirst()
  return Number(conversionRow?.count ?? 0)
}

export function createConversionStore(database: Database) {
  const { queries } = database
  const isFreeConversion = (nowMs: number) => {
    const eb = expressionBuilder<Tables, 'conversions'>()
    return eb('state', 'in', unfinishedStates).and(eb.or([eb('held_until', 'is', null), eb('held_until', '<=', nowMs)]))
  }
  return {
    /**
     * Adds a conversion, unless the account has begun `rowLimit` conversions since `countedSinceMs`, or the id exists already. This process holds the conversion until
     * `heldUntilMs`.
     */
    add: (
      conversion: Conversion,
      rowLimit: number,
      countedSinceMs: number,
      heldUntilMs: number | null = null,
    ): Promise<'done' | 'too-many' | 'exists'> =>
      database.write(async (writeQueries) => {
        // Serialises the transactions, so that of several conversions that begin at the same time, each one counts those before it.
        await serialiseTransactions(writeQueries)
        if ((await countConversionsSince(writeQueries, conversion.uid, countedSinceMs)) >= rowLimit) return 'too-many'
        const { numInsertedOrUpdatedRows } = await writeQueries
          .insertInto('conversions')
          .values({ ...conversion, held_until: heldUntilMs, progress: 0 })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirst()
        return numInsertedOrUpdatedRows === 1n ? 'done' : 'exists'
      }),
    /** Counts the conversions that an account has begun since `sinceMs`. */
    countSince: (uid: string, sinceMs: number): Promise<number> => countConversionsSince(queries, uid, sinceMs),
    find: (id: string): Promise<ConversionsTable | undefined> =>
      queries.selectFrom('conversions').selectAll().where('id', '=', id).executeTakeFirst(),
    /** Updates a conversion, unless it has ended. Returns false if it had ended. */
    update: (conversionId: string, columnChanges: Partial<Pick<Conversion, 'state' | 'message'>>): Promise<boolean> =>
      database.write(async (writeQueries) => {
        const updateQuery = writeQueries
          .updateTable('conversions')
          .set(columnChanges)
          .where('id', '=', conversionId)
          .where('state', 'in', unfinishedStates)
        return (await updateQuery.executeTakeFirst()).numUpdatedRows > 0n
      }),
    /**
     * Stores in one transaction that a conversion is done, and its file in the history of the account, unless the conversion has ended.
     * Returns false if it had ended.
     */
    complete: ({ id, uid, file_name, rate, created }: Conversion, fileBytes: number): Promise<boolean> =>
      database.write(async (writeQueries) => {
        const updateQuery = writeQueries.updateTable('conversions').set({ state: 'done', file_bytes: fileBytes }).where('id', '=', id)
        if ((await updateQuery.where('state', 'in', unfinishedStates).executeTakeFirst()).numUpdatedRows === 0n) return false
        await addExportedFile(writeQueries, uid, { id, file_name, file_size: fileBytes, speed: rate, pitch: 0, createdMs: created })
        return true
      }),
    /**
     * Ends the unfinished conversions that no process has held since `heldBeforeMs`, except those with the given ids. Their uploads are lost: the process
     * that received one ended before it had stored it.
     */
    failAbandoned: (heldBeforeMs: number, exceptIds: readonly string[], failureMessage: string): Promise<void> =>
      database.write(async (writeQueries) => {
        await writeQueries
          .updateTable('conversions')
          .set({ state: 'failed', message: failureMessage })
          .where('state', 'in', unfinishedStates)
          .where('held_until', '<', heldBeforeMs)
          .$if(exceptIds.length > 0, (query) => query.where('id', 'not in', exceptIds))
          .execute()
      }),
    /** Lists the conversions that have not ended and that no process holds at `atMs`, oldest first. */
    listFree: (atMs: number): Promise<Conversion[]> =>
      queries.selectFrom('conversions').selectAll().where(isFreeConversion(atMs)).orderBy('created').execute(),
    /** Makes this process the holder of a conversion. Returns false if another process has become its holder. */
    take: (conversionId: string, { atMs, untilMs }: { atMs: number; untilMs: number }): Promise<boolean> =>
      database.write(async (writeQueries) => {
        const update = writeQueries.updateTable('conversions').set({ held_until: untilMs, progress: 0 }).where('id', '=', conversionId)
        return (await update.where(isFreeConversion(atMs)).executeTakeFirst()).numUpdatedRows > 0n
      }),
    /** Extends the hold of a conversion. Returns false if it has ended, for instance because another process has cancelled it. */
    extendHold: (conversionId: string, untilMs: number, progressShare: number): Promise<boolean> =>
      database.write(async (writeQueries) => {
        const updateQuery = writeQueries
          .updateTable('conversions')
          .set({ held_until: untilMs, progress: progressShare })
          .where('id', '=', conversionId)
        return (await updateQuery.where('state', 'in', unfinishedStates).executeTakeFirst()).numUpdatedRows > 0n
      }),
    /** Lists the done conversions of an account. */
    listDone: (uid: string): Promise<Conversion[]> =>
      queries.selectFrom('conversions').selectAll().where('uid', '=', uid).where('state', '=', 'done').execute(),
    /**
     * Returns the total size in bytes of the uploads that are not converted yet and of the converted files: of all accounts, or of one account.
     */
    sumBytes: async (uid?: string): Promise<number> => {
      const conversionRows = queries.selectFrom('conversions').$if(uid !== undefined, (query) => query.where('uid', '=', uid ?? ''))
      const uploadRows = await conversionRows
        .select((eb) => eb.fn.sum<number>('upload_bytes').as('bytes'))
        .where('state', 'in', unfinishedStates)
        .executeTakeFirst()
      const files = await conversionRows.select((eb) => eb.fn.sum<number>('file_bytes').as('bytes')).executeTakeFirst()
      return Number(uploadRows?.bytes ?? 0) + Number(files?.bytes ?? 0)
    },
    /** Deletes the conversions that were begun before `beforeMs`. */
    deleteBefore: (beforeMs: number): Promise<void> =>
      database.write(async (write) => {
        await write.deleteFrom('conversions').where('created', '<', beforeMs).execute()
      }),
    /** Lists the ids of all conversions, and whether each has ended. */
    listEnds: async (): Promise<{ id: string; hasEnded: boolean }[]> => {
      const rows = await queries.selectFrom('conversions').select(['id', 'state']).execute()
      return rows.map(({ id, state }) => ({ id, hasEnded: !unfinishedStates.includes(state) }))
    },
  }
}
export type ConversionStore = ReturnType<typeof createConversionStore>
