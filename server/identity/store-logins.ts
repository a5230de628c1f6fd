import { DAY_MS } from '../durations.ts'
import { deletePushSubscriptions } from '../push/store.ts'
import type { Database, Queries, SqlTypes } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import { type Account, type AccountsTable, toAccount } from './store-account-rows.ts'

/** The device and network from which a login was last used, as its owner sees them. Nothing else about a client is stored. */
export interface LoginPlace {
  /** Browser and system, such as 'Chrome on Android'. */
  device: string
  /** The client's network, for instance '203.0.113.x'. */
  network: string
}

/** A new login: the family of its refresh tokens and the hash of the first token. */
export interface NewLogin extends LoginPlace {
  /** The public id of the login, which its identity tokens carry. */
  loginId: string
  familyId: string
  tokenHash: string
  /** The time in epoch milliseconds when the user last entered the password; 0 for a login that did not require it. */
  authTimeMs: number
}

/** A login: the family of refresh tokens that descend from one sign-in. */
interface RefreshFamiliesTable {
  id: string
  uid: string
  auth_time: number
  /** The public id of the login. `id` is secret: a forged token that contains it ends the login. */
  login_id: string
  /** Browser and system, such as 'Chrome on Android'. Empty if the login was stored by an older version and has not been used since. */
  device: string
  network: string
  created: number
  last_used: number
}

/** Valid refresh tokens, and tokens replaced within the grace period. Only hashes are stored. */
interface RefreshTokensTable {
  hash: string
  family_id: string
  issued: number
  replaced: number | null
}

declare module '../storage/schema.ts' {
  interface Tables {
    refresh_families: RefreshFamiliesTable
    refresh_tokens: RefreshTokensTable
  }
}

/** Adds columns to the logins: a public id, and the details that the owner sees. */
export const addLoginDetailColumns = ({ kind, text }: SqlTypes): string[] => [
  ...['login_id', 'device', 'network'].map((name) => `alter table refresh_families add column ${name} ${text} not null default ''`),
  ...['created', 'last_used'].map((name) => `alter table refresh_families add column ${name} bigint not null default 0`),
  `update refresh_families set login_id = ${kind === 'postgres' ? 'gen_random_uuid()::text' : 'lower(hex(randomblob(16)))'},
    created = auth_time,
    last_used = coalesce((select max(issued) from refresh_tokens where family_id = refresh_families.id), auth_time)`,
  'create unique index refresh_families_by_login on refresh_families (login_id)',
]

/** A login of an account. */
export interface Login extends LoginPlace {
  loginId: string
  createdMs: number
  /** The time of the last refresh, which happens once an hour while the login is used. */
  lastUsedMs: number
}

/** A replacement of a refresh token by a new one of the same family (refresh token rotation, RFC 9700 section 4.14.2). */
export interface TokenRotation extends LoginPlace {
  familyId: string
  presentedHash: string
  replacementHash: string
  atMs: number
  /** How long a replaced token stays valid, so that concurrent tabs and lost responses do not end the login. */
  graceMs: number
}

/** The account whose login was refreshed. */
export interface RotatedLogin {
  account: Account
  loginId: string
  authTimeMs: number
}

/** The maximum number of valid refresh tokens of a login. There can be several, because tabs refresh concurrently. */
const VALID_TOKENS_PER_LOGIN_MAX = 20
/** The maximum number of logins of an account. A further one ends the login that was not used for the longest time. */
const LOGINS_PER_ACCOUNT_MAX = 50
/** A login ends if it is not used for this time, in milliseconds. */
const LOGIN_IDLE_MAX_MS = 180 * DAY_MS

export type InsertLogin = (transaction: Queries, uid: string, login: NewLogin, atMs: number) => Promise<void>

/**
 * Returns a function that adds a login in a transaction. The account's row must be locked, so that no other transaction adds a login at the same
 * time.
 */
export function prepareInsertLogin(queries: Queries): InsertLogin {
  const listSurplus = prepareQuery<{ uid: string }, { id: string }>(queries, ['uid'], ({ uid }) =>
    queries
      .selectFrom('refresh_families')
      .select('id')
      .where('uid', '=', uid)
      .orderBy('last_used', 'desc')
      .limit(LOGINS_PER_ACCOUNT_MAX)
      .offset(LOGINS_PER_ACCOUNT_MAX - 1),
  )
  type LoginFamily = { familyId: string; uid: string; authTimeMs: number; loginId: string; device: string; network: string; atMs: number }
  const insertFamily = prepareQuery<LoginFamily, unknown>(
    queries,
    ['familyId', 'uid', 'authTimeMs', 'loginId', 'device', 'network', 'atMs'],
    ({ familyId, uid, authTimeMs, loginId, device, network, atMs }) =>
      queries
        .insertInto('refresh_families')
        .values({ id: familyId, uid, auth_time: authTimeMs, login_id: loginId, device, network, created: atMs, last_used: atMs }),
  )
  const insertToken = prepareQuery<{ tokenHash: string; familyId: string; atMs: number }, unknown>(
    queries,
    ['tokenHash', 'familyId', 'atMs'],
    ({ tokenHash, familyId, atMs }) =>
      queries.insertInto('refresh_tokens').values({ hash: tokenHash, family_id: familyId, issued: atMs, replaced: null }),
  )
  return async (transaction, uid, { loginId, familyId, tokenHash, authTimeMs, device, network }, atMs) => {
    for (const { id } of await listSurplus({ uid }, transaction)) await deleteFamily(transaction, id)
    await insertFamily({ familyId, uid, authTimeMs, loginId, device, network, atMs }, transaction)
    await insertToken({ tokenHash, familyId, atMs }, transaction)
  }
}

async function deleteTokens(queries: Queries, families: readonly { id: string }[]): Promise<void> {
  for (const { id } of families) await queries.deleteFrom('refresh_tokens').where('family_id', '=', id).execute()
}

/**
 * Deletes all logins of an account, except one if it is given, and the pushes of all its browsers; a browser that stays logged in subscribes again when
 * its page starts. Deletes the families first: that waits for a concurrent rotation, whose new token is then deleted too.
 */
export async function deleteLogins(queries: Queries, uid: string, exceptLoginId?: string): Promise<void> {
  const surplusFamilies = queries
    .deleteFrom('refresh_families')
    .where('uid', '=', uid)
    .$if(exceptLoginId !== undefined, (query) => query.where('login_id', '<>', exceptLoginId ?? ''))
  await deleteTokens(queries, await surplusFamilies.returning('id').execute())
  await deletePushSubscriptions(queries, uid)
}

/** Deletes the logins that were not used for 180 days. */
export async function deleteIdleLogins(queries: Queries, nowMs: number): Promise<void> {
  const idleFamilies = queries.deleteFrom('refresh_families').where('last_used', '<=', nowMs - LOGIN_IDLE_MAX_MS)
  await deleteTokens(queries, await idleFamilies.returning('id').execute())
}

async function deleteFamily(queries: Queries, familyId: string): Promise<void> {
  await queries.deleteFrom('refresh_families').where('id', '=', familyId).execute()
  await deleteTokens(queries, [{ id: familyId }])
}

/**
 * Logins of the embedded identity service. `AccountStore` adds them, together with an account or a new password. Each method of this store runs in
 * one transaction.
 */
export function createLoginStore(database: Database) {
  const findAccountByLogin = prepareQuery<{ loginId: string }, AccountsTable>(database.queries, ['loginId'], ({ loginId }) =>
    database.queries
      .selectFrom('refresh_families')
      .innerJoin('accounts', 'accounts.uid', 'refresh_families.uid')
      .selectAll('accounts')
      .where('login_id', '=', loginId),
  )
  return {
    /** Returns the account of a login; `undefined` if the login has ended. */
    async findAccount(loginId: string): Promise<Account | undefined> {
      const [row] = await findAccountByLogin({ loginId })
      return row === undefined ? undefined : toAccount(row)
    },
    /** Returns the logins of an account, the last used first. */
    async listOf(uid: string): Promise<Login[]> {
      const loginRows = await database.queries
        .selectFrom('refresh_families')
        .select(['login_id', 'device', 'network', 'created', 'last_used'])
        .where('uid', '=', uid)
        .orderBy('last_used', 'desc')
        .orderBy('created', 'desc')
        .execute()
      return loginRows.map(({ login_id, device, network, created, last_used }) => ({
        loginId: login_id,
        device,
        network,
        createdMs: created,
        lastUsedMs: last_used,
      }))
    },
    /**
     * Replaces a refresh token and returns its account. A token that is unknown to its family, or replaced longer than the grace period ago,
     * was probably stolen: the whole family is deleted and `undefined` is returned. A missing or idle family also returns `undefined`.
     */
    rotate: ({
      familyId,
      presentedHash,
      replacementHash,
      atMs,
      graceMs,
      device,
      network,
    }: TokenRotation): Promise<RotatedLogin | undefined> =>
      database.write(async (queries) => {
        // Updates the row of the login first, which locks it, so that rotations and deletions of the same family are serialised.
        const familyRow = await queries
          .updateTable('refresh_families')
          .set({ last_used: atMs, device, network })
          .where('id', '=', familyId)
          .where('last_used', '>', atMs - LOGIN_IDLE_MAX_MS)
          .returning(['uid', 'login_id', 'auth_time'])
          .executeTakeFirst()
        if (familyRow === undefined) return undefined
        const tokenRows = await queries
          .selectFrom('refresh_tokens')
          .selectAll()
          .where('family_id', '=', familyId)
          .orderBy('issued')
          .execute()
        const presentedToken = tokenRows.find((token) => token.hash === presentedHash)
        // The absolute value of the difference is used, so that the grace period ends even if the clock was set back.
        const isGraceOver = ({ replaced }: { replaced: number | null }) => replaced !== null && Math.abs(atMs - replaced) >= graceMs
        if (presentedToken === undefined || isGraceOver(presentedToken)) {
          await deleteFamily(queries, familyId)
          return undefined
        }
        const validTokens = tokenRows.filter((token) => token.replaced === null && token !== presentedToken)
        const droppedTokens = [
          ...tokenRows.filter(isGraceOver),
          ...validTokens.slice(0, Math.max(0, validTokens.length + 1 - VALID_TOKENS_PER_LOGIN_MAX)),
        ]
        for (const { hash } of droppedTokens) await queries.deleteFrom('refresh_tokens').where('hash', '=', hash).execute()
        if (presentedToken.replaced === null) {
          await queries.updateTable('refresh_tokens').set({ replaced: atMs }).where('hash', '=', presentedHash).execute()
        }
        await queries
          .insertInto('refresh_tokens')
          .values({ hash: replacementHash, family_id: familyId, issued: atMs, replaced: null })
          .execute()
        const accountRow = await queries.selectFrom('accounts').selectAll().where('uid', '=', familyRow.uid).executeTakeFirst()
        return accountRow === undefined
          ? undefined
          : { account: toAccount(accountRow), loginId: familyRow.login_id, authTimeMs: familyRow.auth_time }
      }),
    /** Ends the login that a current or replaced refresh token belongs to. An unknown token changes nothing. */
    endByToken: (familyId: string, tokenHash: string): Promise<void> =>
      database.write(async (queries) => {
        const matchingToken = await queries
          .selectFrom('refresh_tokens')
          .select('hash')
          .where('family_id', '=', familyId)
          .where('hash', '=', tokenHash)
          .executeTakeFirst()
        if (matchingToken !== undefined) await deleteFamily(queries, familyId)
      }),
    /** Ends one login of an account. Returns false if the account has no such login. */
    end: (uid: string, loginId: string): Promise<boolean> =>
      database.write(async (queries) => {
        const loginDeletion = queries.deleteFrom('refresh_families').where('uid', '=', uid).where('login_id', '=', loginId)
        const families = await loginDeletion.returning('id').execute()
        await deleteTokens(queries, families)
        return families.length > 0
      }),
    /** Ends all logins of an account, except one if it is given, and the pushes of its browsers. */
    endAll: (uid: string, exceptLoginId?: string): Promise<void> => database.write((queries) => deleteLogins(queries, uid, exceptLoginId)),
  }
}
export type LoginStore = ReturnType<typeof createLoginStore>
