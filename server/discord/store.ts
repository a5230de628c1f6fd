import type { Database, Queries, SqlTypes } from '../storage/database.ts'

/** Pending attempts to link a Discord account; at most one per account. Only hashes of the secrets are stored. */
interface DiscordAttemptsTable {
  uid: string
  hash: string
  browser_hash: string
  return_url: string
  expires: number
  taken: number
}

/** Linked Discord accounts, by uid of an account of this server or of a Firebase project. */
interface DiscordAccountsTable {
  uid: string
  discord_id: string
  name: string
  linked: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    discord_attempts: DiscordAttemptsTable
    discord_accounts: DiscordAccountsTable
  }
}

export const createDiscordTables = ({ text }: SqlTypes): string[] => [
  `create table discord_attempts (
    uid ${text} primary key, hash ${text} not null unique, browser_hash ${text} not null, return_url ${text} not null,
    expires bigint not null, taken integer not null)`,
  `create table discord_accounts (
    uid ${text} primary key, discord_id ${text} not null unique, name ${text} not null, linked bigint not null)`,
]

export interface DiscordIdentity {
  id: string
  name: string
}

/** An attempt to link a Discord account (OAuth 2.0 authorization code flow). */
export interface NewLinkAttempt {
  uid: string
  tokenHash: string
  /** Hash of the cookie in the browser that started the attempt. */
  browserHash: string
  returnUrl: string
  expiresMs: number
  atMs: number
}

/** Deletes the account's attempt and link. Deletes attempts first: that waits for a concurrent `completeLink`, whose link is then deleted too. */
export async function deleteDiscordLink(queries: Queries, uid: string): Promise<void> {
  await queries.deleteFrom('discord_attempts').where('uid', '=', uid).execute()
  await queries.deleteFrom('discord_accounts').where('uid', '=', uid).execute()
}

/** Linked Discord accounts, by uid of an account of this server or of a Firebase project. */
export function createDiscordStore(database: Database) {
  return {
    /** Starts an attempt. It replaces an earlier attempt of the same account. */
    startLink: ({ uid, tokenHash, browserHash, returnUrl, expiresMs, atMs }: NewLinkAttempt): Promise<void> =>
      database.write(async (queries) => {
        await queries.deleteFrom('discord_attempts').where('expires', '<=', atMs).execute()
        const attemptRow = { hash: tokenHash, browser_hash: browserHash, return_url: returnUrl, expires: expiresMs, taken: 0 }
        await queries
          .insertInto('discord_attempts')
          .values({ uid, ...attemptRow })
          .onConflict((conflict) => conflict.column('uid').doUpdateSet(attemptRow))
          .execute()
      }),
    /**
     * Returns an attempt to link an account and marks it as taken, which is possible only once. Returns `undefined` if the attempt is unknown,
     * expired or already taken.
     */
    takeAttempt: (tokenHash: string, nowMs: number): Promise<{ browserHash: string; returnUrl: string } | undefined> =>
      database.write(async (queries) => {
        const accountRow = await queries
          .updateTable('discord_attempts')
          .set({ taken: 1 })
          .where('hash', '=', tokenHash)
          .where('taken', '=', 0)
          .where('expires', '>', nowMs)
          .returning(['browser_hash', 'return_url'])
          .executeTakeFirst()
        return accountRow === undefined ? undefined : { browserHash: accountRow.browser_hash, returnUrl: accountRow.return_url }
      }),
    /**
     * Completes an attempt that was taken and links the Discord account in place of an earlier one. `taken`: another account has linked that
     * Discord account. `expired`: a newer attempt has replaced this one, or the account was deleted.
     */
    completeLink: (tokenHash: string, { id, name }: DiscordIdentity, nowMs: number): Promise<'linked' | 'taken' | 'expired'> =>
      database.write(async (queries) => {
        const attemptRow = await queries.deleteFrom('discord_attempts').where('hash', '=', tokenHash).returning('uid').executeTakeFirst()
        if (attemptRow === undefined) return 'expired'
        const { uid } = attemptRow
        const linkedAccount = await queries.selectFrom('discord_accounts').select('uid').where('discord_id', '=', id).executeTakeFirst()
        if (linkedAccount !== undefined && linkedAccount.uid !== uid) return 'taken'
        const accountColumns = { discord_id: id, name, linked: nowMs }
        await queries
          .insertInto('discord_accounts')
          .values({ uid, ...accountColumns })
          .onConflict((conflict) => conflict.column('uid').doUpdateSet(accountColumns))
          .execute()
        return 'linked'
      }),
    find: async (uid: string): Promise<(DiscordIdentity & { linkedMs: number }) | undefined> => {
      const row = await database.queries.selectFrom('discord_accounts').selectAll().where('uid', '=', uid).executeTakeFirst()
      return row === undefined ? undefined : { id: row.discord_id, name: row.name, linkedMs: row.linked }
    },
    /** Deletes the account's link and its pending attempt. */
    deleteAll: (uid: string): Promise<void> => database.write((queries) => deleteDiscordLink(queries, uid)),
  }
}
