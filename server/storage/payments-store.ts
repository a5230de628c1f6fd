import type { ExpressionBuilder } from 'kysely'
import type { Database, Queries } from './database.ts'
import type { PaidGrant, Payer, PaymentEvent, PaymentStore } from './interfaces/payments.ts'
import type { PaidGrantsTable } from './payment-tables.ts'
import type { Tables } from './schema.ts'

/** Converts a row to a grant. The casts are safe, because only `record` writes plan and role. */
const grantOf = ({ purchase, plan, role, uid, email, until }: PaidGrantsTable): PaidGrant => ({
  purchase,
  plan: plan as PaidGrant['plan'],
  role: role as PaidGrant['role'],
  uid: uid ?? undefined,
  email: email ?? undefined,
  untilMs: until,
})

const belongsTo =
  ({ uid, verifiedEmail }: Payer) =>
  (eb: ExpressionBuilder<Tables, 'paid_grants'>) =>
    eb.or([eb('uid', '=', uid), ...(verifiedEmail === undefined ? [] : [eb('uid', 'is', null).and('email', '=', verifiedEmail)])])

/** Deletes the events and grants of a person. Of a customer that also paid for another account, only what names this one. */
export async function deletePayments(queries: Queries, { uid, verifiedEmail }: Payer): Promise<void> {
  const uidsOf = async (groupId: string) =>
    (
      await queries
        .selectFrom('payment_events')
        .select('uid')
        .distinct()
        .where('group_id', '=', groupId)
        .where('uid', 'is not', null)
        .execute()
    ).map((row) => row.uid)
  const groups = await queries
    .selectFrom('payment_events')
    .select('group_id')
    .distinct()
    .where((eb) => eb.or([eb('uid', '=', uid), ...(verifiedEmail === undefined ? [] : [eb('email', '=', verifiedEmail)])]))
    .execute()
  for (const { group_id } of groups) {
    const uids = await uidsOf(group_id)
    const isOfOthers = uids.some((each) => each !== uid)
    if (isOfOthers && !uids.includes(uid)) continue
    for (const table of ['paid_grants', 'payment_events'] as const) {
      await queries
        .deleteFrom(table)
        .where('group_id', '=', group_id)
        .$if(isOfOthers, (query) => query.where('uid', '=', uid))
        .execute()
    }
    if (!isOfOthers) await queries.deleteFrom('payment_groups').where('id', '=', group_id).execute()
  }
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
            uid: (fact.kind === 'checkout' ? fact.uid : undefined) ?? null,
            email: ('email' in fact ? fact.email : undefined) ?? null,
            fact: JSON.stringify(fact),
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
          fact: JSON.parse(row.fact) as PaymentEvent['fact'],
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
    listGrants: async (payer) =>
      (
        await database.queries
          .selectFrom('paid_grants')
          .selectAll()
          .where(belongsTo(payer))
          .orderBy('until', 'desc')
          .orderBy('purchase')
          .orderBy('role')
          .execute()
      ).map(grantOf),
    deleteAll: (payer) => database.write((queries) => deletePayments(queries, payer)),
  }
}
