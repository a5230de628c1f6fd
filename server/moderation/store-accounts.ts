import { deleteLogins } from '../identity/store-logins.ts'
import type { Database, Queries } from '../storage/database.ts'
import { type ActOptions, insertAction } from './store-actions.ts'
import { conclude, countRows, createChange, findAddress, mailCount, type OwnedActOptions, UNKNOWN } from './store-owners.ts'

/**
 * Changes the email address of an account. Its owner has to verify the new address. If the earlier address was verified, the account keeps the roles
 * and payments of that address. All logins of the account end, because their tokens contain the earlier address.
 */
async function moveAccount(queries: Queries, account: { uid: string; email: string; email_verified: number }, to: string): Promise<void> {
  const { uid, email } = account
  await queries.updateTable('accounts').set({ email: to, email_verified: 0 }).where('uid', '=', uid).execute()
  if (account.email_verified === 1)
    for (const table of ['roles', 'paid_grants', 'payment_events'] as const)
      await queries.updateTable(table).set({ uid }).where('uid', 'is', null).where('email', '=', email).execute()
  await queries.deleteFrom('roles').where('email', '=', to).where('uid', 'is', null).execute()
  await queries.updateTable('roles').set({ email: to }).where('uid', '=', uid).execute()
  for (const table of ['promotions', 'websites'] as const)
    await queries.updateTable(table).set({ email: '' }).where('uid', '=', uid).execute()
  await queries.deleteFrom('account_codes').where('uid', '=', uid).execute()
  await deleteLogins(queries, uid)
}

/** The changes by admins of accounts, and of messages of the contact form. */
export function createAccountModeration(database: Database) {
  const change = createChange(database)
  return {
    /** Deletes a message of the contact form, with the mails about it. */
    deleteMessage: (id: number, { act, isDryRun }: ActOptions) =>
      change(async (queries) => {
        const message = await queries.selectFrom('contacts').select(['topic']).where('id', '=', id).executeTakeFirst()
        if (message === undefined) return UNKNOWN
        const mails = await queries.selectFrom('mails').select('id').where('contact_id', '=', id).execute()
        return {
          outcome: { kind: 'done', target: { kind: 'message', id: String(id), title: message.topic }, effects: { mails: mails.length } },
          write: async (write) => {
            await write.deleteFrom('mails').where('contact_id', '=', id).execute()
            await write.deleteFrom('contacts').where('id', '=', id).execute()
            await insertAction(write, act, { target: `message ${id}`, outcome: 'deleted' })
          },
        }
      }, isDryRun),

    /** Ends all logins of an account. */
    endLogins: (uid: string, { act, isDryRun }: ActOptions) =>
      change(async (queries) => {
        const account = await queries.selectFrom('accounts').select('email').where('uid', '=', uid).executeTakeFirst()
        if (account === undefined) return UNKNOWN
        return {
          outcome: {
            kind: 'done',
            target: { kind: 'account', id: uid, title: account.email },
            effects: { logins: await countRows(queries, 'refresh_families', uid) },
          },
          write: async (write) => {
            await deleteLogins(write, uid)
            await insertAction(write, act, { target: `account ${uid}`, outcome: 'signed out' })
          },
        }
      }, isDryRun),

    /** Changes the email address of an account to `to` in lower case, and informs the earlier address if it is verified. */
    changeAddress: (uid: string, to: string, options: OwnedActOptions) =>
      change(async (queries) => {
        const account = await queries
          .selectFrom('accounts')
          .select(['uid', 'email', 'email_verified'])
          .where('uid', '=', uid)
          .executeTakeFirst()
        if (account === undefined) return UNKNOWN
        const target = { kind: 'account' as const, id: uid, title: account.email }
        if (account.email === to) return { outcome: { kind: 'already', target } }
        const otherAccount = await queries.selectFrom('accounts').select('uid').where('email', '=', to).executeTakeFirst()
        if (otherAccount !== undefined) return { outcome: { kind: 'refused', reason: `${to} has an account already` } }
        const earlierAddress = await findAddress(queries, uid)
        return {
          outcome: {
            kind: 'done',
            target,
            effects: { logins: await countRows(queries, 'refresh_families', uid), ...mailCount(earlierAddress, options) },
          },
          write: async (write) => {
            await moveAccount(write, account, to)
            await conclude(write, options, earlierAddress, { target: `account ${uid}`, outcome: 'address changed' })
          },
        }
      }, options.isDryRun),
  }
}
