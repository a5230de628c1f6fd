import type { PaidPlan, Role, SubscriptionInterruption } from '../../contract/account.ts'
import { isGrantedTo, type RoleHolder } from '../identity/store-roles.ts'
import { insertMail, type Mail } from '../mail/store.ts'
import type { Database, Queries, SqlTypes } from '../storage/database.ts'

/** The row that is locked while an event is added. Earlier versions had a row for each group. */
interface PaymentGroupsTable {
  id: string
}

/** The events of the payment provider that affect roles. `fact` is JSON. */
interface PaymentEventsTable {
  id: string
  group_id: string
  /** The id of a further group whose events also affect the grants of this event's group; null if there is none. */
  link: string | null
  created: number
  /** `uid` is the account of a checkout. `email` is the email address of a checkout or an invoice. */
  uid: string | null
  email: string | null
  fact: string
}

/** The grants that result from the rows of `payment_events`. They are written in the same transaction as a new event. */
interface PaidGrantsTable {
  group_id: string
  purchase: string
  plan: string
  role: string
  uid: string | null
  email: string | null
  until: number
  /** The index in `RENEWAL_STATES`. */
  renews: number
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

/** Adds the columns and the index for disputes and renewals. Subscriptions that are already stored count as renewing until their next event. */
export const addPaymentEventLinkColumns = ({ text }: SqlTypes): string[] => [
  `alter table payment_events add column link ${text}`,
  'create index payment_events_by_link on payment_events (link) where link is not null',
  'alter table paid_grants add column renews integer not null default 1',
  "update paid_grants set renews = 0 where plan = 'donate'",
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
  /** Whether the event reports the creation or the deletion of the subscription. */
  isCreated?: boolean
  isDeleted: boolean
  /** Whether the collection of payments is paused, so that the subscription grants roles only until the end of the last paid period. */
  isPaused?: boolean
  /** Whether the subscription ends with its period. */
  isEnding?: boolean
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

/** The payment of an invoice. The event only links the invoice to its payment. */
interface InvoicePaymentFact {
  kind: 'invoice-payment'
}

/** A dispute about a payment that the site has lost. */
interface DisputeFact {
  kind: 'dispute'
}

/**
 * An event of the payment provider. `group` is the id of the customer for subscriptions, of the payment for donations, refunds and disputes, and of
 * the invoice for its payment. The grants of a group depend only on its own events, and on those of the groups that its events link to.
 */
export interface PaymentEvent {
  id: string
  group: string
  /**
   * The id of a further group whose events also affect the grants of `group`: an invoice links to the group of its payment, and an invoice's payment
   * to the group of the dispute about it.
   */
  link?: string | undefined
  createdMs: number
  fact: CheckoutFact | SubscriptionFact | InvoiceFact | InvoicePaymentFact | RefundFact | DisputeFact
}

/** A grant of a payment to an account or, if no account is known, to an email address. `purchase` is the id of its subscription or payment. */
export interface PaidGrant {
  purchase: string
  plan: PaidPlan
  role: Role
  uid: string | undefined
  email: string | undefined
  untilMs: number
  /** Whether the subscription is charged again at `untilMs`. */
  renews: boolean
  /** Why the subscription, which still exists, is not renewed, or grants nothing until it is; `undefined` if it is renewed, or ends. */
  interruption?: SubscriptionInterruption | undefined
}

/** The states of a subscription by their numbers in `paid_grants`. */
const RENEWAL_STATES = ['ends', 'renews', 'payment_failed', 'paused', 'disputed'] as const

const findRenewalState = ({ renews, interruption }: PaidGrant): (typeof RENEWAL_STATES)[number] =>
  interruption ?? (renews ? 'renews' : 'ends')

function parseRenewalState(stateNumber: number): Pick<PaidGrant, 'renews' | 'interruption'> {
  const state = RENEWAL_STATES[stateNumber]
  return state === undefined || state === 'ends' || state === 'renews'
    ? { renews: state === 'renews' }
    : { renews: false, interruption: state }
}

/** Converts a row to a grant. The casts are safe, because only `record` writes plan and role. */
const toPaidGrant = ({ purchase, plan, role, uid, email, until, renews }: PaidGrantsTable): PaidGrant => ({
  purchase,
  plan: plan as PaidGrant['plan'],
  role: role as PaidGrant['role'],
  uid: uid ?? undefined,
  email: email ?? undefined,
  untilMs: until,
  ...parseRenewalState(renews),
})

/** Removes the uid from an account's payments. They then belong to whichever account verifies their email address. */
export async function removeUidFromPayments(queries: Queries, uid: string): Promise<void> {
  for (const table of ['paid_grants', 'payment_events'] as const)
    await queries.updateTable(table).set({ uid: null }).where('uid', '=', uid).execute()
}

/** Selects those whom payments make subscribers at `atMs`: the uids of accounts, or the email addresses for which no account is known. */
export const selectPaidSubscribers = (queries: Queries, columnName: 'uid' | 'email', atMs: number) =>
  queries
    .selectFrom('paid_grants')
    .select(columnName)
    .where('role', '=', 'subscriber' satisfies PaidGrant['role'])
    .where('until', '>', atMs)
    .where(columnName, 'is not', null)
    .$if(columnName === 'email', (query) => query.where('uid', 'is', null))

/** Returns the JSON of a fact without its account, which is in a column of its own so that it can be removed. `openedAtMs` is stored as `beganMs`. */
function toStoredFact(fact: PaymentEvent['fact']): string {
  if (fact.kind !== 'checkout') return JSON.stringify(fact)
  const { uid: _uid, openedAtMs, ...others } = fact
  return JSON.stringify({ ...others, beganMs: openedAtMs })
}

function parseStoredFact({ fact, uid }: Pick<PaymentEventsTable, 'fact' | 'uid'>): PaymentEvent['fact'] {
  const { beganMs: openedAtMs, ...others } = JSON.parse(fact)
  // The cast is safe, because `toStoredFact` wrote the text.
  return { ...others, uid: uid ?? undefined, ...(openedAtMs !== undefined && { openedAtMs }) } as PaymentEvent['fact']
}

/** The id of the row of `payment_groups` that is locked while an event is added. */
const LOCK_ROW_ID = ''

/** Follows the links back from `groupId` to the group to which no other group links. Events of `groupId` affect the grants of that group. */
async function findRootGroup(queries: Queries, groupId: string): Promise<string> {
  const eventRow = await queries
    .selectFrom('payment_events')
    .select('group_id')
    .where('link', '=', groupId)
    .where('group_id', '!=', groupId)
    .orderBy('created')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return eventRow === undefined ? groupId : findRootGroup(queries, eventRow.group_id)
}

/** Returns the events of the groups and of all groups to which these events link, directly or through other groups. */
async function listEvents(
  queries: Queries,
  eventGroupIds: readonly string[],
  visitedGroupIds: ReadonlySet<string> = new Set(),
): Promise<PaymentEvent[]> {
  const eventRows = await queries.selectFrom('payment_events').selectAll().where('group_id', 'in', eventGroupIds).execute()
  const paymentEvents = eventRows.map((eventRow) => ({
    id: eventRow.id,
    group: eventRow.group_id,
    link: eventRow.link ?? undefined,
    createdMs: eventRow.created,
    fact: parseStoredFact(eventRow),
  }))
  const allGroups = new Set([...visitedGroupIds, ...eventGroupIds])
  const links = [...new Set(paymentEvents.flatMap(({ link }) => (link === undefined || allGroups.has(link) ? [] : [link])))]
  return links.length === 0 ? paymentEvents : [...paymentEvents, ...(await listEvents(queries, links, allGroups))]
}

/** Lists the ids of the subscriptions that are active at `atMs` and belong to the account or the email address of a grant. */
async function listActiveSubscriptionIds(queries: Queries, { uid, email }: PaidGrant, atMs: number): Promise<string[]> {
  const grantRows = await queries
    .selectFrom('paid_grants')
    .select('purchase')
    .where('role', '=', 'subscriber' satisfies PaidGrant['role'])
    .where('until', '>', atMs)
    .where((eb) => eb.or([...(uid === undefined ? [] : [eb('uid', '=', uid)]), ...(email === undefined ? [] : [eb('email', '=', email)])]))
    .orderBy('purchase')
    .execute()
  return grantRows.map(({ purchase }) => purchase)
}

/** The subscriptions of a person to whom an event has given a further active one: the person is charged for each. */
export interface SeveralSubscriptions {
  /** The person's email address, if it is known. */
  email: string | undefined
  subscriptionIds: string[]
}

/** Returns the active subscriptions of the person to whom a change of grants has given a further one; `undefined` if there is no such person. */
async function findSeveralSubscriptions(
  queries: Queries,
  grantsBefore: readonly PaidGrant[],
  grantsAfter: readonly PaidGrant[],
  atMs: number,
): Promise<SeveralSubscriptions | undefined> {
  const isActiveGrant = ({ role, untilMs, uid, email }: PaidGrant) =>
    role === 'subscriber' && untilMs > atMs && (uid ?? email) !== undefined
  const newGrant = grantsAfter.find(
    (each) => isActiveGrant(each) && !grantsBefore.some((earlier) => earlier.purchase === each.purchase && isActiveGrant(earlier)),
  )
  const subscriptionIds = newGrant === undefined ? [] : await listActiveSubscriptionIds(queries, newGrant, atMs)
  return subscriptionIds.length < 2 ? undefined : { email: newGrant?.email, subscriptionIds }
}

/** Creates the mail to the team about a person who is charged for several subscriptions; `undefined` if no mails go to the team. */
type CreateWarning = (subscriptions: SeveralSubscriptions) => Mail | undefined

/** The store of the payment provider's events and of the grants that follow from them. */
export function createPaymentStore(database: Database) {
  return {
    /**
     * Stores an event, and replaces the grants of its group by the result of `computeGrants` for all group events. If a person has several active
     * subscriptions by it, stores the mail of `createWarning` in the same transaction, and returns them. Changes nothing, and returns `undefined`, if the
     * event was stored before.
     */
    record: (
      event: PaymentEvent,
      computeGrants: (events: readonly PaymentEvent[]) => PaidGrant[],
      { atMs, createWarning }: { atMs: number; createWarning: CreateWarning },
    ): Promise<{ severalSubscriptions: SeveralSubscriptions | undefined } | undefined> =>
      database.write(async (queries) => {
        const { id, group, link, createdMs, fact } = event
        // Locks the row by an update without effect, so that concurrent transactions run one after the other: any two events may belong to the same
        // group.
        await queries
          .insertInto('payment_groups')
          .values({ id: LOCK_ROW_ID })
          .onConflict((conflict) => conflict.column('id').doUpdateSet((eb) => ({ id: eb.ref('excluded.id') })))
          .execute()
        const insertedRow = await queries
          .insertInto('payment_events')
          .values({
            id,
            group_id: group,
            link: link ?? null,
            created: createdMs,
            uid: ('uid' in fact ? fact.uid : undefined) ?? null,
            email: ('email' in fact ? fact.email : undefined) ?? null,
            fact: toStoredFact(fact),
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirst()
        if (insertedRow.numInsertedOrUpdatedRows !== 1n) return undefined
        const rootGroup = await findRootGroup(queries, group)
        const computedGrants = computeGrants(await listEvents(queries, [rootGroup]))
        const rowsBefore = await queries.deleteFrom('paid_grants').where('group_id', '=', rootGroup).returningAll().execute()
        if (computedGrants.length > 0) {
          await queries
            .insertInto('paid_grants')
            .values(
              computedGrants.map((grant) => ({
                group_id: rootGroup,
                purchase: grant.purchase,
                plan: grant.plan,
                role: grant.role,
                uid: grant.uid ?? null,
                email: grant.email ?? null,
                until: grant.untilMs,
                renews: RENEWAL_STATES.indexOf(findRenewalState(grant)),
              })),
            )
            .execute()
        }
        const severalSubscriptions = await findSeveralSubscriptions(queries, rowsBefore.map(toPaidGrant), computedGrants, atMs)
        const warningMail = severalSubscriptions && createWarning(severalSubscriptions)
        if (warningMail !== undefined) await insertMail(queries, warningMail, atMs)
        return { severalSubscriptions }
      }),
    /** Lists the grants that payments gave to an account, expired ones too, latest end first. */
    listGrants: async (holder: RoleHolder): Promise<PaidGrant[]> =>
      (
        await database.queries
          .selectFrom('paid_grants')
          .selectAll()
          .where(isGrantedTo(holder))
          .orderBy('until', 'desc')
          .orderBy('purchase')
          .orderBy('role')
          .execute()
      ).map(toPaidGrant),
  }
}
