import { deletePushSubscriptions } from '../push/store.ts'
import type { Database, Queries } from '../storage/database.ts'
import type { Pagination } from '../storage/pagination.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import { type Account, type AccountsTable, toAccount } from './store-account-rows.ts'
import { consumeCode, createCodeStore } from './store-codes.ts'
import { deleteLogins, type NewLogin, prepareInsertLogin } from './store-logins.ts'
import type { RoleHolder } from './store-roles.ts'

export interface NewAccount {
  uid: string
  email: string
  /** Whether the email address counts as verified; false by default. */
  emailVerified?: boolean
  passwordHash: string
  atMs: number
}

interface PasswordChange {
  uid: string
  /** The hash that the stored password must still have. */
  checkedHash?: string
  passwordHash: string
  atMs: number
  /** Whether the account's e-mail address is marked as verified. */
  verifiesEmail: boolean
}

/** Marks the email address of an account as verified, so that roles granted to the address count for the account. */
async function markEmailVerified(queries: Queries, uid: string): Promise<boolean> {
  const accountRow = await queries
    .updateTable('accounts')
    .set({ email_verified: 1 })
    .where('uid', '=', uid)
    .returning('email')
    .executeTakeFirst()
  if (accountRow === undefined) return false
  for (const table of ['promotions', 'websites'] as const)
    await queries.updateTable(table).set({ email: accountRow.email }).where('uid', '=', uid).execute()
  return true
}

/** Sets a password and deletes all logins. Locks the account's row first, as all changes of its logins do. */
async function changePassword(queries: Queries, { uid, checkedHash, passwordHash, atMs, verifiesEmail }: PasswordChange): Promise<boolean> {
  const changedRows = await queries
    .updateTable('accounts')
    .set({ password_hash: passwordHash, valid_after: atMs })
    .where('uid', '=', uid)
    .$if(checkedHash !== undefined, (query) => query.where('password_hash', '=', checkedHash ?? ''))
    .executeTakeFirst()
  if (changedRows.numUpdatedRows === 0n) return false
  if (verifiesEmail) await markEmailVerified(queries, uid)
  await deleteLogins(queries, uid)
  // Deletes the mailed reset codes, so that a link that was requested before cannot replace the new password.
  await queries.deleteFrom('account_codes').where('uid', '=', uid).where('kind', '=', 'reset').execute()
  return true
}

/** Deletes the rows of all stores that belong to an account. Runs in the transaction that deletes the account. */
export type DeleteAccountData = (queries: Queries, holder: RoleHolder, atMs: number) => Promise<void>

/** Deletes an account as `AccountStore.remove` does, in the transaction of `queries`. */
export async function deleteAccount(
  queries: Queries,
  uid: string,
  removedAtMs: number,
  deleteBelongings: DeleteAccountData,
): Promise<boolean> {
  const deletedAccount = await queries
    .deleteFrom('accounts')
    .where('uid', '=', uid)
    .returning(['email', 'email_verified'])
    .executeTakeFirst()
  if (deletedAccount === undefined) return false
  await deleteLogins(queries, uid)
  await queries.deleteFrom('account_codes').where('uid', '=', uid).execute()
  // The roles of an unverified email address are not deleted, because the address may belong to somebody else.
  const verifiedEmail = deletedAccount.email_verified === 1 ? deletedAccount.email : undefined
  await deleteBelongings(queries, { uid, verifiedEmail }, removedAtMs)
  return true
}

/** Accounts of the embedded identity service. Each method runs in one transaction. */
export function createAccountStore(database: Database, deleteBelongings: DeleteAccountData) {
  const { queries } = database
  const insertLogin = prepareInsertLogin(queries)
  const noteLogin = prepareQuery<{ uid: string; checkedHash: string; atMs: number }, { uid: string }>(
    queries,
    ['uid', 'checkedHash', 'atMs'],
    ({ uid, checkedHash, atMs }) =>
      queries
        .updateTable('accounts')
        .set({ last_login: atMs })
        .where('uid', '=', uid)
        .where('password_hash', '=', checkedHash)
        .where('disabled', '=', 0)
        .returning('uid'),
  )
  const prepareFinder = (columnName: 'uid' | 'email') => {
    const findAccountRow = prepareQuery<{ value: string }, AccountsTable>(queries, ['value'], ({ value }) =>
      queries.selectFrom('accounts').selectAll().where(columnName, '=', value),
    )
    return async (columnValue: string) => {
      const [row] = await findAccountRow({ value: columnValue })
      return row === undefined ? undefined : toAccount(row)
    }
  }
  return {
    /** Creates an account and, if given, its first login. Returns false if the email address already has an account. */
    create: ({ uid, email, emailVerified = false, passwordHash, atMs }: NewAccount, login?: NewLogin): Promise<boolean> =>
      database.write(async (queries) => {
        const insertedRow = await queries
          .insertInto('accounts')
          .values({
            uid,
            email,
            password_hash: passwordHash,
            email_verified: emailVerified ? 1 : 0,
            disabled: 0,
            created: atMs,
            last_login: atMs,
            valid_after: 0,
          })
          .onConflict((conflict) => conflict.column('email').doNothing())
          .executeTakeFirst()
        if (insertedRow.numInsertedOrUpdatedRows !== 1n) return false
        if (login !== undefined) await insertLogin(queries, uid, login, atMs)
        return true
      }),
    findByUid: prepareFinder('uid'),
    findByEmail: prepareFinder('email'),
    /** Lists the accounts, oldest first. */
    list: async ({ limit, offset }: Pagination): Promise<Account[]> => {
      const accountRows = await database.queries
        .selectFrom('accounts')
        .selectAll()
        .orderBy('created')
        .orderBy('uid')
        .limit(limit)
        .offset(offset)
        .execute()
      return accountRows.map(toAccount)
    },
    /** Adds a login. Returns false if the account is missing or disabled, or its password hash is no longer `verifiedPasswordHash`. */
    addLogin: (uid: string, verifiedPasswordHash: string, login: NewLogin): Promise<boolean> =>
      database.write(async (queries) => {
        const [loggedInAccount] = await noteLogin({ uid, checkedHash: verifiedPasswordHash, atMs: login.authTimeMs }, queries)
        if (loggedInAccount === undefined) return false
        await insertLogin(queries, uid, login, login.authTimeMs)
        return true
      }),
    /**
     * Sets a new password, ends all logins and adds `login`. Returns false if the account is missing or its password hash is no longer
     * `verifiedPasswordHash`, so that a concurrent password change is not overwritten.
     */
    setPassword: (
      uid: string,
      verifiedPasswordHash: string,
      passwordHash: string,
      changedAtMs: number,
      login: NewLogin,
    ): Promise<boolean> =>
      database.write(async (queries) => {
        if (
          !(await changePassword(queries, {
            uid,
            checkedHash: verifiedPasswordHash,
            passwordHash,
            atMs: changedAtMs,
            verifiesEmail: false,
          }))
        )
          return false
        await insertLogin(queries, uid, login, changedAtMs)
        return true
      }),
    ...createCodeStore(database),
    /** Consumes a code of the kind 'reset', sets the password and marks the email address as verified. Returns false if the code is invalid. */
    resetPassword: (codeHash: string, passwordHash: string, nowMs: number): Promise<boolean> =>
      database.write(async (queries) => {
        const uid = await consumeCode(queries, codeHash, 'reset', nowMs)
        return uid !== undefined && (await changePassword(queries, { uid, passwordHash, atMs: nowMs, verifiesEmail: true }))
      }),
    /** Consumes a code of the kind 'verify' of this account and marks its address as verified. Returns false if the code is invalid. */
    verifyEmail: (ownerUid: string, codeHash: string, nowMs: number): Promise<boolean> =>
      database.write(async (queries) => {
        const uid = await consumeCode(queries, codeHash, 'verify', nowMs, ownerUid)
        return uid !== undefined && (await markEmailVerified(queries, uid))
      }),
    /** Disables or enables an account. Returns false if the account does not exist. */
    setDisabled: (uid: string, isDisabled: boolean): Promise<boolean> =>
      database.write(async (queries) => {
        const changedRows = await queries
          .updateTable('accounts')
          .set((eb) => ({ disabled: isDisabled ? 1 : 0, ...(isDisabled ? {} : { valid_after: eb('valid_after', '+', 1) }) }))
          .where('uid', '=', uid)
          .where('disabled', '=', isDisabled ? 0 : 1)
          .executeTakeFirst()
        // Disabling keeps the account's logins, so that their requests get the error for a disabled account, and ends its pushes only. Enabling
        // the account deletes the logins.
        if (changedRows.numUpdatedRows > 0n) await (isDisabled ? deletePushSubscriptions : deleteLogins)(queries, uid)
        return (await queries.selectFrom('accounts').select('uid').where('uid', '=', uid).executeTakeFirst()) !== undefined
      }),
    /**
     * Deletes the account, all rows with its uid and, if its email address is verified, the roles of the address. Payments remain and belong to the
     * address. Returns false if the account does not exist.
     */
    remove: (uid: string, removedAtMs: number): Promise<boolean> =>
      database.write((queries) => deleteAccount(queries, uid, removedAtMs, deleteBelongings)),
  }
}
export type AccountStore = ReturnType<typeof createAccountStore>
