import type { Database, Queries } from '../storage/database.ts'
import type { PaidGrant, PaymentEvent, PaymentStore } from '../storage/interfaces/payments.ts'
import type { PaidGrantsTable } from '../storage/payment-tables.ts'
import { heldBy } from '../identity/store-roles.ts'

/** Converts a row to a grant. The casts are safe, because only `record` writes plan and role. */
const grantOf = ({ purchase, plan, role, uid, email, until }: PaidGrantsTable): PaidGrant => ({
  purchase,
  plan: plan as PaidGrant['plan'],
  role: role as PaidGrant['role'],
  uid: uid ?? undefined,
  email: email ?? undefined,
  untilMs: until,
})

/** Forgets the account that payments were for: what was paid stays with the email address. */
export async function releasePayments(queries: Queries, uid: string): Promise<void> {
  for (const table of ['paid_grants', 'payment_events'] as const)
    await queries.updateTable(table).set({ uid: null }).where('uid', '=', uid).execute()
}

/** Selects whom payments make a subscriber at `atMs`: accounts by uid, or addresses for which no account is known. */
export const paidSubscribers = (queries: Queries, column: 'uid' | 'email', atMs: number) =>
  queries
    .selectFrom('paid_grants')
    .select(column)
    .where('role', '=', 'subscriber' satisfies PaidGrant['role'])
    .where('until', '>', atMs)
    .where(column, 'is not', null)
    .$if(column === 'email', (query) => query.where('uid', 'is', null))

export function createPaymentStore(database: Database): PaymentStore {
  return {
    record: (event, grantsOf) =>
      database.write(async (queries) => {
        const { id, group, createdMs, fact } = event
        // The column has the account, because it may have to be forgotten.
        const { uid, ...storedFact } = { uid: undefined, ...fact }
        // Locks the group by an update without effect, so that each event sees those before it.
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
            uid: uid ?? null,
            email: ('email' in fact ? fact.email : undefined) ?? null,
            fact: JSON.stringify(storedFact),
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirst()
        if (insertedRow.numInsertedOrUpdatedRows !== 1n) return false
        const rows = await queries.selectFrom('payment_events').selectAll().where('group_id', '=', group).execute()
        // The cast is safe, because the facts are those that were written above.
        const events = rows.map((row) => ({
          id: row.id,
          group,
          createdMs: row.created,
          fact: { ...JSON.parse(row.fact), uid: row.uid ?? undefined } as PaymentEvent['fact'],
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
    listGrants: async (holder) =>
      (
        await database.queries
          .selectFrom('paid_grants')
          .selectAll()
          .where(heldBy(holder))
          .orderBy('until', 'desc')
          .orderBy('purchase')
          .orderBy('role')
          .execute()
      ).map(grantOf),
    release: (uid) => database.write((queries) => releasePayments(queries, uid)),
  }
}
