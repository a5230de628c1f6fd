import { expressionBuilder } from 'kysely'
import { type DeleteAccountData, deleteAccount } from '../identity/store-accounts.ts'
import { deleteLogins } from '../identity/store-logins.ts'
import { isGrantedTo, type RoleHolder } from '../identity/store-roles.ts'
import type { Database, Queries } from '../storage/database.ts'
import type { Tables } from '../storage/schema.ts'
import { countAccountRows } from './store-account-rows.ts'
import { type ActOptions, insertAction } from './store-actions.ts'
import {
  countOwnerMails,
  countRows,
  createChangeRunner,
  findAddress,
  type OwnedActOptions,
  storeActionAndOwnerMail,
  UNKNOWN_TARGET,
} from './store-owners.ts'

/** Matches the grants that wait for an address, of roles that `holder` has from the same source: an address has one grant of each role and source. */
function isSurplusGrant(address: string, holder: RoleHolder) {
  const eb = expressionBuilder<Tables, 'roles'>()
  const heldGrants = eb
    .selectFrom('roles as held')
    .select('held.role')
    .whereRef('held.role', '=', 'roles.role')
    .whereRef('held.source', '=', 'roles.source')
    .where(isGrantedTo(holder))
  return eb.and([eb('roles.email', '=', address), eb('roles.uid', 'is', null), eb.exists(heldGrants)])
}

/** Gives the account's grants the later end of those that wait for an address and are deleted, because the account has them already. */
async function extendHeldGrants(queries: Queries, address: string, holder: RoleHolder): Promise<void> {
  const surplusGrants = await queries
    .selectFrom('roles')
    .select(['role', 'source', 'until'])
    .where(isSurplusGrant(address, holder))
    .execute()
  for (const { role, source, until } of surplusGrants)
    await queries
      .updateTable('roles')
      .set({ until })
      .where('role', '=', role)
      .where('source', '=', source)
      .where(isGrantedTo(holder))
      .where((eb) => (until === null ? eb('until', 'is not', null) : eb('until', '<', until)))
      .execute()
}

/**
 * Changes the email address of an account. Its owner has to verify the new address. If the earlier address was verified, the account keeps the roles
 * and payments of that address. Roles that wait for the new address still do, except those that the account has already, which last to the later end. All logins of the account
 * end, because their tokens contain the earlier address.
 */
async function moveAccount(queries: Queries, movedAccount: RoleHolder, newAddress: string): Promise<void> {
  const { uid, verifiedEmail } = movedAccount
  await extendHeldGrants(queries, newAddress, movedAccount)
  await queries.deleteFrom('roles').where(isSurplusGrant(newAddress, movedAccount)).execute()
  await queries.updateTable('accounts').set({ email: newAddress, email_verified: 0 }).where('uid', '=', uid).execute()
  if (verifiedEmail !== undefined)
    for (const table of ['roles', 'paid_grants', 'payment_events'] as const)
      await queries.updateTable(table).set({ uid }).where('uid', 'is', null).where('email', '=', verifiedEmail).execute()
  await queries.updateTable('roles').set({ email: newAddress }).where('uid', '=', uid).execute()
  for (const table of ['promotions', 'websites'] as const)
    await queries.updateTable(table).set({ email: '' }).where('uid', '=', uid).execute()
  await queries.deleteFrom('account_codes').where('uid', '=', uid).execute()
  await deleteLogins(queries, uid)
}

/** The changes by admins of accounts, and of messages of the contact form. */
export function createAccountModeration(database: Database, deleteAccountData: DeleteAccountData) {
  const createAccountChange = createChangeRunner(database)
  return {
    /** Deletes a message of the contact form, with the mails about it. */
    deleteMessage: (messageId: number, { act, isDryRun }: ActOptions) =>
      createAccountChange(async (queries) => {
        const contactRow = await queries.selectFrom('contacts').select(['topic']).where('id', '=', messageId).executeTakeFirst()
        if (contactRow === undefined) return UNKNOWN_TARGET
        const mailRows = await queries.selectFrom('mails').select('id').where('contact_id', '=', messageId).execute()
        return {
          outcome: {
            kind: 'done',
            target: { kind: 'message', id: String(messageId), title: contactRow.topic },
            effects: { mails: mailRows.length },
          },
          write: async (writeQueries) => {
            await writeQueries.deleteFrom('mails').where('contact_id', '=', messageId).execute()
            await writeQueries.deleteFrom('contacts').where('id', '=', messageId).execute()
            await insertAction(writeQueries, act, { target: `message ${messageId}`, outcome: 'deleted' })
          },
        }
      }, isDryRun),

    /** Ends all logins of an account. */
    endLogins: (uid: string, { act, isDryRun }: ActOptions) =>
      createAccountChange(async (queries) => {
        const accountRow = await queries.selectFrom('accounts').select('email').where('uid', '=', uid).executeTakeFirst()
        if (accountRow === undefined) return UNKNOWN_TARGET
        return {
          outcome: {
            kind: 'done',
            target: { kind: 'account', id: uid, title: accountRow.email },
            effects: { logins: await countRows(queries, 'refresh_families', uid) },
          },
          write: async (writeQueries) => {
            await deleteLogins(writeQueries, uid)
            await insertAction(writeQueries, act, { target: `account ${uid}`, outcome: 'signed out' })
          },
        }
      }, isDryRun),

    /** Deletes an account and all its data. The effects are the numbers of the deleted rows by table. */
    deleteAccount: (uid: string, { act, isDryRun }: ActOptions) =>
      createAccountChange(async (queries) => {
        const accountRow = await queries
          .selectFrom('accounts')
          .select(['email', 'email_verified'])
          .where('uid', '=', uid)
          .executeTakeFirst()
        if (accountRow === undefined) return UNKNOWN_TARGET
        const verifiedEmail = accountRow.email_verified === 1 ? accountRow.email : undefined
        return {
          outcome: {
            kind: 'done',
            target: { kind: 'account', id: uid, title: accountRow.email },
            effects: await countAccountRows(queries, { uid, verifiedEmail }),
          },
          write: async (writeQueries) => {
            await deleteAccount(writeQueries, uid, act.atMs, deleteAccountData)
            await insertAction(writeQueries, act, { target: `account ${uid}`, outcome: 'deleted' })
          },
        }
      }, isDryRun),

    /** Changes the email address of an account to `newAddress` in lower case, and informs the earlier address if it is verified. */
    changeAddress: (uid: string, newAddress: string, options: OwnedActOptions) =>
      createAccountChange(async (queries) => {
        const accountRow = await queries.selectFrom('accounts').select('email').where('uid', '=', uid).executeTakeFirst()
        if (accountRow === undefined) return UNKNOWN_TARGET
        const actionTarget = { kind: 'account' as const, id: uid, title: accountRow.email }
        if (accountRow.email === newAddress) return { outcome: { kind: 'already', target: actionTarget } }
        const otherAccount = await queries.selectFrom('accounts').select('uid').where('email', '=', newAddress).executeTakeFirst()
        if (otherAccount !== undefined) return { outcome: { kind: 'refused', reason: `${newAddress} has an account already` } }
        const earlierAddress = await findAddress(queries, uid)
        const holder: RoleHolder = { uid, verifiedEmail: earlierAddress }
        const { surplusCount } = await queries
          .selectFrom('roles')
          .select((eb) => eb.fn.countAll<number>().as('surplusCount'))
          .where(isSurplusGrant(newAddress, holder))
          .executeTakeFirstOrThrow()
        return {
          outcome: {
            kind: 'done',
            target: actionTarget,
            effects: {
              logins: await countRows(queries, 'refresh_families', uid),
              deleted_grants: Number(surplusCount),
              ...countOwnerMails(earlierAddress, options),
            },
          },
          write: async (writeQueries) => {
            await moveAccount(writeQueries, holder, newAddress)
            await storeActionAndOwnerMail(writeQueries, options, earlierAddress, { target: `account ${uid}`, outcome: 'address changed' })
          },
        }
      }, options.isDryRun),
  }
}
