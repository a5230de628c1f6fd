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
  /** Epoch milliseconds. */
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

async function countSince(source: Queries, uid: string, sinceMs: number): Promise<number> {
  const row = await source
    .selectFrom('conversions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('uid', '=', uid)
    .where('created', '>', sinceMs)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

export function createConversionStore(database: Database) {
  const { queries } = database
  const isFree = (atMs: number) => {
    const eb = expressionBuilder<Tables, 'conversions'>()
    return eb('state', 'in', unfinishedStates).and(eb.or([eb('held_until', 'is', null), eb('held_until', '<=', atMs)]))
  }
  return {
    /**
     * Adds a conversion, unless the account has begun `limit` conversions since `sinceMs`, or the id exists already. This process holds the conversion until
     * `heldUntilMs`.
     */
    add: (
      conversion: Conversion,
      limit: number,
      sinceMs: number,
      heldUntilMs: number | null = null,
    ): Promise<'done' | 'too-many' | 'exists'> =>
      database.write(async (write) => {
        // Serialises the transactions, so that of several conversions that begin at the same time, each one counts those before it.
        await serialiseTransactions(write)
        if ((await countSince(write, conversion.uid, sinceMs)) >= limit) return 'too-many'
        const { numInsertedOrUpdatedRows } = await write
          .insertInto('conversions')
          .values({ ...conversion, held_until: heldUntilMs, progress: 0 })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirst()
        return numInsertedOrUpdatedRows === 1n ? 'done' : 'exists'
      }),
    /** Counts the conversions that an account has begun since `sinceMs`. */
    countSince: (uid: string, sinceMs: number): Promise<number> => countSince(queries, uid, sinceMs),
    find: (id: string): Promise<ConversionsTable | undefined> =>
      queries.selectFrom('conversions').selectAll().where('id', '=', id).executeTakeFirst(),
    /** Updates a conversion, unless it has ended. Returns whether it had not. */
    update: (id: string, changes: Partial<Pick<Conversion, 'state' | 'message'>>): Promise<boolean> =>
      database.write(async (write) => {
        const update = write.updateTable('conversions').set(changes).where('id', '=', id).where('state', 'in', unfinishedStates)
        return (await update.executeTakeFirst()).numUpdatedRows > 0n
      }),
    /**
     * Stores in one transaction that a conversion is done, and its file in the history of the account, unless the conversion has ended. Returns whether it
     * had not.
     */
    complete: ({ id, uid, file_name, rate, created }: Conversion, fileBytes: number): Promise<boolean> =>
      database.write(async (write) => {
        const update = write.updateTable('conversions').set({ state: 'done', file_bytes: fileBytes }).where('id', '=', id)
        if ((await update.where('state', 'in', unfinishedStates).executeTakeFirst()).numUpdatedRows === 0n) return false
        await addExportedFile(write, uid, { id, file_name, file_size: fileBytes, speed: rate, pitch: 0, createdMs: created })
        return true
      }),
    /**
     * Ends the unfinished conversions that no process has held since `heldBeforeMs`, except those with the given ids. Their uploads are lost: the process
     * that received one ended before it had stored it.
     */
    failAbandoned: (heldBeforeMs: number, exceptIds: readonly string[], message: string): Promise<void> =>
      database.write(async (write) => {
        await write
          .updateTable('conversions')
          .set({ state: 'failed', message })
          .where('state', 'in', unfinishedStates)
          .where('held_until', '<', heldBeforeMs)
          .$if(exceptIds.length > 0, (query) => query.where('id', 'not in', exceptIds))
          .execute()
      }),
    /** Lists the conversions that have not ended and that no process holds at `atMs`, oldest first. */
    listFree: (atMs: number): Promise<Conversion[]> =>
      queries.selectFrom('conversions').selectAll().where(isFree(atMs)).orderBy('created').execute(),
    /** Makes this process the holder of a conversion. Returns false if another process has become its holder. */
    take: (id: string, { atMs, untilMs }: { atMs: number; untilMs: number }): Promise<boolean> =>
      database.write(async (write) => {
        const update = write.updateTable('conversions').set({ held_until: untilMs, progress: 0 }).where('id', '=', id)
        return (await update.where(isFree(atMs)).executeTakeFirst()).numUpdatedRows > 0n
      }),
    /** Extends the hold of a conversion. Returns false if it has ended, for instance because another process has cancelled it. */
    extendHold: (id: string, untilMs: number, progress: number): Promise<boolean> =>
      database.write(async (write) => {
        const update = write.updateTable('conversions').set({ held_until: untilMs, progress }).where('id', '=', id)
        return (await update.where('state', 'in', unfinishedStates).executeTakeFirst()).numUpdatedRows > 0n
      }),
    /** Lists the done conversions of an account. */
    listDone: (uid: string): Promise<Conversion[]> =>
      queries.selectFrom('conversions').selectAll().where('uid', '=', uid).where('state', '=', 'done').execute(),
    /**
     * Returns the total size in bytes of the uploads that are not converted yet and of the converted files: of all accounts, or of one account.
     */
    sumBytes: async (uid?: string): Promise<number> => {
      const rows = queries.selectFrom('conversions').$if(uid !== undefined, (query) => query.where('uid', '=', uid ?? ''))
      const uploads = await rows
        .select((eb) => eb.fn.sum<number>('upload_bytes').as('bytes'))
        .where('state', 'in', unfinishedStates)
        .executeTakeFirst()
      const files = await rows.select((eb) => eb.fn.sum<number>('file_bytes').as('bytes')).executeTakeFirst()
      return Number(uploads?.bytes ?? 0) + Number(files?.bytes ?? 0)
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
