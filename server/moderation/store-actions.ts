import { randomUUID } from 'node:crypto'
import { DAY_MS } from '../durations.ts'
import type { Database, Queries, SqlTypes } from '../storage/database.ts'

/** The actions of admins. `target` is a kind and an id, such as 'song dQw4w9WgXcQ'. */
interface AdminActionsTable {
  id: string
  at: number
  actor: string
  command: string
  target: string
  reason: string
  outcome: string
}

declare module '../storage/schema.ts' {
  interface Tables {
    admin_actions: AdminActionsTable
  }
}

export const createAdminActionsTable = ({ text }: SqlTypes): string[] => [
  `create table admin_actions (
    id ${text} primary key, at bigint not null, actor ${text} not null, command ${text} not null, target ${text} not null,
    reason ${text} not null, outcome ${text} not null)`,
  'create index admin_actions_by_time on admin_actions (at)',
  'create index admin_actions_by_target on admin_actions (target, at)',
]

/** An action that an admin takes: who takes it, by which command, and why. */
export interface Act {
  actor: string
  command: string
  reason: string
  atMs: number
}

/** How an action is taken: with `isDryRun`, nothing is written. */
export interface ActOptions {
  act: Act
  isDryRun: boolean
}

export type TargetKind = 'song' | 'playlist' | 'category' | 'site' | 'list' | 'message' | 'account'

/** The target of an action. `hidden` is missing if the target is not hidden; `since` is in ISO 8601 UTC. */
export interface ActionTarget {
  kind: TargetKind
  id: string
  title: string
  hidden?: { reason: string; since?: string }
}

/** How much an action concerns: in how many playlists a song is, for instance, and of how many accounts it is a favorite. */
export type ActionEffects = Readonly<Record<string, number>>

/** The result of an action, or of its dry run. `unknown`: the target does not exist. `already`: the target was in the requested state before. */
export type ActionOutcome =
  | { kind: 'unknown' }
  | { kind: 'already'; target: ActionTarget }
  | { kind: 'refused'; reason: string }
  | { kind: 'done'; target: ActionTarget; effects: ActionEffects }

/** A recorded action. */
export interface AdminAction {
  /** ISO 8601 UTC. */
  at: string
  actor: string
  command: string
  target: string
  reason: string
  outcome: string
}

/** The time after which recorded actions are deleted. It equals the storage time of contact messages, which actions may be about. */
const ACTION_RETENTION_MS = 730 * DAY_MS

export async function deleteOldAdminActions(queries: Queries, nowMs: number): Promise<void> {
  await queries
    .deleteFrom('admin_actions')
    .where('at', '<', nowMs - ACTION_RETENTION_MS)
    .execute()
}

/** Records an action in the transaction that carries it out. */
export async function insertAction(
  queries: Queries,
  { atMs, ...actionFields }: Act,
  { target, outcome }: Pick<AdminAction, 'target' | 'outcome'>,
): Promise<void> {
  await queries
    .insertInto('admin_actions')
    .values({ id: randomUUID(), at: atMs, ...actionFields, target, outcome })
    .execute()
}

/** Creates the functions that read and add recorded actions. */
export function createAdminActionLog({ queries: readQueries, write }: Pick<Database, 'queries' | 'write'>) {
  return {
    /** Records an action that changes no other row of the database. */
    recordAction: (act: Act, entry: Pick<AdminAction, 'target' | 'outcome'>): Promise<void> =>
      write((queries) => insertAction(queries, act, entry)),

    /** Lists the recorded actions, newest first; those of one target if it is given. */
    listActions: async (rowLimit: number, actionTarget?: string): Promise<AdminAction[]> => {
      const actionRows = await readQueries
        .selectFrom('admin_actions')
        .selectAll()
        .$if(actionTarget !== undefined, (query) => query.where('target', '=', actionTarget ?? ''))
        .orderBy('at', 'desc')
        .orderBy('id')
        .limit(rowLimit)
        .execute()
      return actionRows.map(({ id: _id, at, ...action }) => ({ ...action, at: new Date(at).toISOString() }))
    },
  }
}
