import type { Storage } from '../storage/open.ts'
import type { Act, AdminAction } from './store-actions.ts'
import type { CatalogueEffects, CatalogueItem, CatalogueItemKind, CatalogueOutcome } from './store-catalogue.ts'

/** The error of an action that cannot be taken. Its message is one line for the admin. */
export class ModerationError extends Error {
  override readonly name = 'ModerationError'
}

/** Who takes an action, by which command, and why. With `isDryRun`, the action only says what it would do. */
export interface Order {
  actor: string
  command: string
  reason: string
  isDryRun: boolean
}

/** What an action did, or would do. */
export interface ActionResult {
  dry_run: boolean
  target: string
  title: string
  /** How much the action concerns, by kind. */
  effects: CatalogueEffects
}

/** The number of actions that are listed at most. */
const ACTIONS_MAX = 1000

const nounOf = ({ kind, id }: Pick<CatalogueItem, 'kind' | 'id'>) => `${kind} ${id}`

/** The actions of admins on content. Every action is recorded with its reason, in the transaction that carries it out. */
export function createModeration({ moderation: store }: Pick<Storage, 'moderation'>, nowMs: () => number) {
  const optionsOf = ({ isDryRun, ...act }: Order) => ({ act: { ...act, atMs: nowMs() } satisfies Act, isDryRun })

  /** @throws ModerationError if the outcome is not a change */
  function resultOf(
    outcome: CatalogueOutcome,
    target: { kind: CatalogueItem['kind']; id: string },
    order: Order,
    state: string,
  ): ActionResult {
    if (outcome.kind === 'unknown') throw new ModerationError(`There is no ${nounOf(target)} in the catalogue`)
    if (outcome.kind === 'already') {
      const { hidden } = outcome.item
      const since = hidden === undefined ? '' : `, since ${hidden.since}: ${hidden.reason}`
      throw new ModerationError(`The ${nounOf(target)} is ${state} already${since}`)
    }
    return { dry_run: order.isDryRun, target: nounOf(target), title: outcome.item.title, effects: outcome.effects }
  }

  return {
    /** Takes a song or playlist out of the catalogue until it is shown again. */
    hide: async (kind: CatalogueItemKind, id: string, order: Order): Promise<ActionResult> =>
      resultOf(await store.hideItem(kind, id, optionsOf(order)), { kind, id }, order, 'hidden'),

    show: async (kind: CatalogueItemKind, id: string, order: Order): Promise<ActionResult> =>
      resultOf(await store.showItem(kind, id, optionsOf(order)), { kind, id }, order, 'shown'),

    remove: async (kind: CatalogueItemKind, id: string, order: Order): Promise<ActionResult> =>
      resultOf(await store.deleteItem(kind, id, optionsOf(order)), { kind, id }, order, 'deleted'),

    renameCategory: async (id: string, name: string, order: Order): Promise<ActionResult> =>
      resultOf(await store.renameCategory(id, name, optionsOf(order)), { kind: 'category', id }, order, `named ${name}`),

    listHidden: (): Promise<CatalogueItem[]> => store.listHidden(),

    /** Lists the recorded actions, newest first; those on one target if it is given. */
    listActions: (target?: string): Promise<AdminAction[]> => store.listActions(ACTIONS_MAX, target),
  }
}
export type Moderation = ReturnType<typeof createModeration>
