import type { Queries } from './database.ts'

/** The time in milliseconds for which ids of changes are stored. A change sent again later would be applied twice. */
const RETENTION_MS = 400 * 24 * 3_600_000
const SWEEP_INTERVAL_MS = 3_600_000

/** The owner of changes that are sent without an account. */
export const ANONYMOUS = ''

/** Records the ids of applied changes, because devices resend changes without a response. Runs in the transaction that applies them. */
export function createAppliedChanges() {
  let sweptAtMs = 0
  return {
    /** Stores the ids of changes and returns those that were not stored before. */
    remember: async (queries: Queries, owner: string, changeIds: readonly string[], nowMs: number): Promise<string[]> => {
      if (Math.abs(nowMs - sweptAtMs) > SWEEP_INTERVAL_MS) {
        sweptAtMs = nowMs
        await queries
          .deleteFrom('applied_changes')
          .where('applied_at', '<', nowMs - RETENTION_MS)
          .execute()
      }
      const addedRows = await queries
        .insertInto('applied_changes')
        .values(changeIds.map((id) => ({ owner, id, applied_at: nowMs })))
        .onConflict((conflict) => conflict.columns(['owner', 'id']).doNothing())
        .returning('id')
        .execute()
      return addedRows.map(({ id }) => id)
    },
  }
}
