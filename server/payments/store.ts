import type { PaidPlan, Role } from '../../contract/account.ts'
import { isHeldBy, type RoleHolder } from '../identity/store-roles.ts'
import type { Database, Queries, SqlTypes } from '../storage/database.ts'

/** The groups of events. The row of a group is locked while one of its events is added. */
interface PaymentGroupsTable {
  id: string
}

/** The events of the payment provider that affect roles. `fact` is JSON. */
interface PaymentEventsTable {
  id: string
  group_id: string
  created: number
  /** `uid` is the account of a checkout. `email` is the address of a checkout or an invoice. */
  uid: string | null
  email: string | null
  fact: string
}

/** The grants that follow from `payment_events`, and are written with them. */
interface PaidGrantsTable {
  group_id: string
  purchase: string
  plan: string
  role: string
  uid: string | null
  email: string | null
  until: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    payment_groups: PaymentGroupsTable
    payment_events: PaymentEventsTable
    paid_grants: PaidGrantsTable
  }
}

export const createPaymentTables = ({ text }: SqlTypes): string[] => [
  `create table payment_groups (id ${text} primary key)`,
  `create table payment_events (
    id ${text} primary key, group_id ${text} not null, created bigint not null, uid ${text}, email ${text}, fact ${text} not null)`,
  'create index payment_events_by_group on payment_events (group_id)',
  'create index payment_events_by_account on payment_events (uid)',
  'create index payment_events_by_address on payment_events (email)',
  `create table paid_grants (
    group_id ${text} not null, purchase ${text} not null, plan ${text} not null, role ${text} not null, uid ${text}, email ${text},
    until bigint not null, primary key (group_id, purchase, role))`,
  'create index paid_grants_by_account on paid_grants (uid)',
  'create index paid_grants_by_address on paid_grants (email)',
]

/** A paid checkout. Only checkouts name the account that has paid. */
interface CheckoutFact {
  kind: 'checkout'
  /** The subscription that was bought; undefined for a donation. */
  subscription: string | undefined
  /** The plan that was bought; undefined if the checkout's link names no plan or an unknown one. */
  plan: PaidPlan | undefined
  /** The uid that the checkout's link contained. */
  uid: string | undefined
  /** In lower case. */
  email: string | undefined
  /** The time when the checkout was opened, from which the days of a donation are counted; 0 if unknown. */
  openedAtMs: number
  /** The number of days for which a donation gives its role. */
  donatorDays: number
}

/** The state of a subscription at the time of its event. */
export interface SubscriptionFact {
  kind: 'subscription'
  subscription: string
  plan: PaidPlan | undefined
  status: string
  isDeleted: boolean
  periodEndMs: number
}

/** A paid invoice of a subscription. */
interface InvoiceFact {
  kind: 'invoice'
  subscription: string
  periodEndMs: number
  email: string | undefined
}

/** A full refund of a donation. */
interface RefundFact {
  kind: 'refund'
}

/**
 * An event of the payment provider. `group` is the id of the customer for subscriptions, or of the payment for donations. The grants of a group
 * depend only on its own events.
 */
export interface PaymentEvent {
  id: string
  group: string
  createdMs: number
  fact: CheckoutFact | SubscriptionFact | InvoiceFact | RefundFact
}

/** A grant of a payment to an account or, if no account is known, to an email address. `purchase` is the id of its subscription or payment. */
export interface PaidGrant {
  purchase: string
  plan: PaidPlan
  role: Role
  uid: string | undefined
  email: string | undefined
  untilMs: number
}

/** Converts a row to a grant. The casts are safe, because only `record` writes plan and role. */
const grantOf = ({ purchase, plan, role, uid, email, until }: PaidGrantsTable): PaidGrant => ({
  purchase,
  plan: plan as PaidGrant['plan'],
  role: role as PaidGrant['role'],
  uid: uid ?? undefined,
  email: email ?? undefined,
  untilMs: until,
})

/** Removes the uid from an account's payments. They then belong to whichever account verifies their email address. */
export async function removeUidFromPayments(queries: Queries, uid: string): Promise<void> {
  for (const table of ['paid_grants', 'payment_events'] as const)
    await queries.updateTable(table).set({ uid: null }).where('uid', '=', uid).execute()
}

/** Selects those whom payments make subscribers at `atMs`: the uids of accounts, or the email addresses for which no account is known. */
export const paidSubscribers = (queries: Queries, column: 'uid' | 'email', atMs: number) =>
  queries
    .selectFrom('paid_grants')
    .select(column)
    .where('role', '=', 'subscriber' satisfies PaidGrant['role'])
    .where('until', '>', atMs)
    .where(column, 'is not', null)
    .$if(column === 'email', (query) => query.where('uid', 'is', null))

/** Returns the JSON of a fact without its account, which is in a column of its own so that it can be removed. `openedAtMs` is stored as `beganMs`. */
function storedFactOf(fact: PaymentEvent['fact']): string {
  if (fact.kind !== 'checkout') return JSON.stringify(fact)
  const { uid: _uid, openedAtMs, ...others } = fact
  return JSON.stringify({ ...others, beganMs: openedAtMs })
}

function factOf({ fact, uid }: Pick<PaymentEventsTable, 'fact' | 'uid'>): PaymentEvent['fact'] {
  const { beganMs: openedAtMs, ...others } = JSON.parse(fact)
  // The cast is safe, because `storedFactOf` wrote the text.
  return { ...others, uid: uid ?? undefined, ...(openedAtMs !== undefined && { openedAtMs }) } as PaymentEvent['fact']
}

/** The store of the payment provider's events and of the grants that follow from them. */
export function createPaymentStore(database: Database) {
  return {
    /**
     * Stores an event, and replaces the grants of its group by the result of `grantsOf` for all events of the group. Returns false, and changes
     * nothing, if the event was stored before.
     */
    record: (event: PaymentEvent, grantsOf: (events: readonly PaymentEvent[]) => PaidGrant[]): Promise<boolean> =>
      database.write(async (queries) => {
        const { id, group, createdMs, fact } = event
        // Locks the row of the group by an update without effect, so that concurrent transactions of the same group run one after the other.
        await queries
          .insertInto('payment_groups')
          .values({ id: group })
          .onConflict((conflict) => conflict.column('id').doUpdateSet((eb) => ({ id: eb.ref('excluded.id') })))
          .execute()
        const insertedRow = await queries
          .insertInto('payment_events')
          .values({
            id,
            group_id: group,
            created: createdMs,
            uid: ('uid' in fact ? fact.uid : undefined) ?? null,
            email: ('email' in fact ? fact.email : undefined) ?? null,
            fact: storedFactOf(fact),
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirst()
        if (insertedRow.numInsertedOrUpdatedRows !== 1n) return false
        const rows = await queries.selectFrom('payment_events').selectAll().where('group_id', '=', group).execute()
        const events = rows.map((row) => ({
          id: row.id,
          group,
          createdMs: row.created,
          fact: factOf(row),
        }))
        await queries.deleteFrom('paid_grants').where('group_id', '=', group).execute()
        const grants = grantsOf(events)
        if (grants.length > 0) {
          await queries
            .insertInto('paid_grants')
            .values(
              grants.map(({ purchase, plan, role, uid, email, untilMs }) => ({
                group_id: group,
                purchase,
                plan,
                role,
                uid: uid ?? null,
                email: email ?? null,
                until: untilMs,
              })),
            )
            .execute()
        }
        return true
      }),
    /** Lists the grants that payments gave to an account, expired ones too, latest end first. */
    listGrants: async (holder: RoleHolder): Promise<PaidGrant[]> =>
      (
        await database.queries
          .selectFrom('paid_grants')
          .selectAll()
          .where(isHeldBy(holder))
          .orderBy('until', 'desc')
          .orderBy('purchase')
          .orderBy('role')
          .execute()
      ).map(grantOf),
  }
}
