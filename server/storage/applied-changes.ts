import type { Queries } from './database.ts'

/** How long a change may wait on a device and still be applied once. */
const KEPT_MS = 400 * 24 * 3_600_000
const SWEEP_EVERY_MS = 3_600_000

/** Whose changes those are that come without an account. */
export const NOBODY = ''

/** Which changes were applied: devices send again what they got no answer to. All of it is part of the transaction that applies them. */
export function createAppliedChanges() {
  let sweptAtMs = 0
  return {
    /** Remembers changes, and gives those that were not remembered before. */
    remember: async (queries: Queries, owner: string, ids: readonly string[], nowMs: number): Promise<string[]> => {
      if (Math.abs(nowMs - sweptAtMs) > SWEEP_EVERY_MS) {
        sweptAtMs = nowMs
        await queries
          .deleteFrom('applied_changes')
          .where('applied_at', '<', nowMs - KEPT_MS)
          .execute()
      }
      const added = await queries
        .insertInto('applied_changes')
        .values(ids.map((id) => ({ owner, id, applied_at: nowMs })))
        .onConflict((conflict) => conflict.columns(['owner', 'id']).doNothing())
        .returning('id')
        .execute()
      return added.map(({ id }) => id)
    },
  }
}
export type AppliedChanges = ReturnType<typeof createAppliedChanges>
