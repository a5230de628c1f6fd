import { sql } from 'kysely'
import type { Queries } from './database.ts'

const DAY_MS = 24 * 3_600_000
/**
 * The times in milliseconds for which ids of changes are stored. A change sent again later would be applied twice: of an account, whose devices may be
 * offline for long, and of a client without an account.
 */
const ACCOUNT_RETENTION_MS = 400 * DAY_MS
const ANONYMOUS_RETENTION_MS = 7 * DAY_MS
/** The number of ids stored of an account, the newest ones: those of ten full calls of `/favorite/sync`, since a device repeats its last call only. */
export const ACCOUNT_CHANGES_MAX = 5000

/** The owner of changes that are sent without an account. */
export const ANONYMOUS = ''

/**
 * Stores the ids of changes and returns those that were not stored before, because devices resend changes without a response. Runs in the transaction that
 * applies them.
 */
export async function rememberChanges(queries: Queries, owner: string, changeIds: readonly string[], nowMs: number): Promise<string[]> {
  const addedRows = await queries
    .insertInto('applied_changes')
    .values(changeIds.map((id) => ({ owner, id, applied_at: nowMs })))
    .onConflict((conflict) => conflict.columns(['owner', 'id']).doNothing())
    .returning('id')
    .execute()
  return addedRows.map(({ id }) => id)
}

/** Deletes the oldest ids of an account above `ACCOUNT_CHANGES_MAX`. */
export async function forgetOldChanges(queries: Queries, uid: string): Promise<void> {
  const oldest = queries
    .selectFrom('applied_changes')
    .select('id')
    .where('owner', '=', uid)
    .orderBy('applied_at', 'desc')
    .orderBy('id')
    // SQLite has no offset without a limit.
    .limit(sql.lit(Number.MAX_SAFE_INTEGER))
    .offset(ACCOUNT_CHANGES_MAX)
  await queries.deleteFrom('applied_changes').where('owner', '=', uid).where('id', 'in', oldest).execute()
}

export async function deleteOldChanges(queries: Queries, nowMs: number): Promise<void> {
  await queries
    .deleteFrom('applied_changes')
    .where((eb) =>
      eb.or([
        eb('applied_at', '<', nowMs - ACCOUNT_RETENTION_MS),
        eb('applied_at', '<', nowMs - ANONYMOUS_RETENTION_MS).and('owner', '=', ANONYMOUS),
      ]),
    )
    .execute()
}
