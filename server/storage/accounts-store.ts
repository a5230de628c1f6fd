import type { Database, Queries } from './database.ts'
import { forgetDiscord } from './discord-store.ts'
import { forgetFavorites } from './favorites-store.ts'
import { forgetMakeHistory } from './make-history-store.ts'
import type { AccountsTable } from './schema.ts'
import type { Account, AccountStore, CodeKind, NewSession } from './storage.ts'

/** How many refresh tokens of one log-in may be valid side by side: those that were asked for at once. */
const LIVE_TOKENS_MAX = 20
/** How long an expired code is remembered, so that its link can be told from one that never was. */
const EXPIRED_KEPT_MS = 7 * 24 * 3_600_000

const accountOf = (row: AccountsTable): Account => ({
  uid: row.uid,
  email: row.email,
  passwordHash: row.password_hash,
  emailVerified: row.email_verified === 1,
  disabled: row.disabled === 1,
  createdMs: row.created,
  lastLoginMs: row.last_login,
  validAfterMs: row.valid_after,
})

async function startSession(queries: Queries, uid: string, { familyId, tokenHash, authTimeMs }: NewSession, atMs: number): Promise<void> {
  await queries.insertInto('refresh_families').values({ id: familyId, uid, auth_time: authTimeMs }).execute()
  await queries.insertInto('refresh_tokens').values({ hash: tokenHash, family_id: familyId, issued: atMs, replaced: null }).execute()
}

/** Families go first: that waits for a rotation under way, whose new token is then seen and goes too. */
async function endSessions(queries: Queries, uid: string): Promise<void> {
  const ended = await queries.deleteFrom('refresh_families').where('uid', '=', uid).returning('id').execute()
  for (const { id } of ended) await queries.deleteFrom('refresh_tokens').where('family_id', '=', id).execute()
}

interface PasswordChange {
  uid: string
  /** The password must still be that one. */
  checkedHash?: string
  passwordHash: string
  atMs: number
  /** The address is proved by it. */
  verified: boolean
}

/** The row that is locked until the transaction ends is the account's, in every change that concerns its log-ins. */
async function changePassword(queries: Queries, { uid, checkedHash, passwordHash, atMs, verified }: PasswordChange): Promise<boolean> {
  const changed = await queries
    .updateTable('accounts')
    .set({ password_hash: passwordHash, valid_after: atMs, ...(verified ? { email_verified: 1 } : {}) })
    .where('uid', '=', uid)
    .$if(checkedHash !== undefined, (query) => query.where('password_hash', '=', checkedHash ?? ''))
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) return false
  await endSessions(queries, uid)
  // A link that was mailed for the old password must not undo the new one.
  await queries.deleteFrom('account_codes').where('uid', '=', uid).where('kind', '=', 'reset').execute()
  return true
}

/** Takes a code out, which only one of several askers can; the account that it was for. */
async function takeCode(queries: Queries, hash: string, kind: CodeKind, atMs: number): Promise<string | undefined> {
  const taken = await queries
    .deleteFrom('account_codes')
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('expires', '>', atMs)
    .returning('uid')
    .executeTakeFirst()
  return taken?.uid
}

async function endFamily(queries: Queries, familyId: string): Promise<void> {
  await queries.deleteFrom('refresh_families').where('id', '=', familyId).execute()
  await queries.deleteFrom('refresh_tokens').where('family_id', '=', familyId).execute()
}

export function createAccountStore(database: Database): AccountStore {
  const find = async (column: 'uid' | 'email', value: string) => {
    const row = await database.queries.selectFrom('accounts').selectAll().where(column, '=', value).executeTakeFirst()
    return row === undefined ? undefined : accountOf(row)
  }
  return {
    create: ({ uid, email, passwordHash, atMs }, session) =>
      database.write(async (queries) => {
        const inserted = await queries
          .insertInto('accounts')
          .values({
            ...{ uid, email, password_hash: passwordHash, email_verified: 0, disabled: 0 },
            ...{ created: atMs, last_login: atMs, valid_after: 0 },
          })
          .onConflict((conflict) => conflict.column('email').doNothing())
          .executeTakeFirst()
        if (inserted.numInsertedOrUpdatedRows !== 1n) return false
        if (session !== undefined) await startSession(queries, uid, session, atMs)
        return true
      }),
    byUid: (uid) => find('uid', uid),
    byEmail: (email) => find('email', email),
    all: async ({ limit, offset }) => {
      const rows = await database.queries
        .selectFrom('accounts')
        .selectAll()
        .orderBy('created')
        .orderBy('uid')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map(accountOf)
    },
    addSession: (uid, checkedHash, session) =>
      database.write(async (queries) => {
        const seen = await queries
          .updateTable('accounts')
          .set({ last_login: session.authTimeMs })
          .where('uid', '=', uid)
          .where('password_hash', '=', checkedHash)
          .where('disabled', '=', 0)
          .executeTakeFirst()
        if (seen.numUpdatedRows === 0n) return false
        await startSession(queries, uid, session, session.authTimeMs)
        return true
      }),
    rotate: ({ familyId, shownHash, nextHash, atMs, graceMs }) =>
      database.write(async (queries) => {
        // An update that changes nothing but holds the row: rotations of a family, and its end, come one after the other.
        const family = await queries
          .updateTable('refresh_families')
          .set((eb) => ({ auth_time: eb.ref('auth_time') }))
          .where('id', '=', familyId)
          .returning(['uid', 'auth_time'])
          .executeTakeFirst()
        if (family === undefined) return undefined
        const tokens = await queries.selectFrom('refresh_tokens').selectAll().where('family_id', '=', familyId).orderBy('issued').execute()
        const shown = tokens.find((token) => token.hash === shownHash)
        // In both directions: after the clock was set back, the grace is not longer.
        const isOver = ({ replaced }: { replaced: number | null }) => replaced !== null && Math.abs(atMs - replaced) >= graceMs
        if (shown === undefined || isOver(shown)) {
          await endFamily(queries, familyId)
          return undefined
        }
        const live = tokens.filter((token) => token.replaced === null && token !== shown)
        const dropped = [...tokens.filter(isOver), ...live.slice(0, Math.max(0, live.length + 1 - LIVE_TOKENS_MAX))]
        for (const { hash } of dropped) await queries.deleteFrom('refresh_tokens').where('hash', '=', hash).execute()
        if (shown.replaced === null) {
          await queries.updateTable('refresh_tokens').set({ replaced: atMs }).where('hash', '=', shownHash).execute()
        }
        await queries.insertInto('refresh_tokens').values({ hash: nextHash, family_id: familyId, issued: atMs, replaced: null }).execute()
        const account = await queries.selectFrom('accounts').selectAll().where('uid', '=', family.uid).executeTakeFirst()
        return account === undefined ? undefined : { account: accountOf(account), authTimeMs: family.auth_time }
      }),
    setPassword: (uid, checkedHash, passwordHash, atMs, session) =>
      database.write(async (queries) => {
        if (!(await changePassword(queries, { uid, checkedHash, passwordHash, atMs, verified: false }))) return false
        await startSession(queries, uid, session, atMs)
        return true
      }),
    putCode: ({ uid, kind, hash, expiresMs, atMs }) =>
      database.write(async (queries) => {
        await queries
          .deleteFrom('account_codes')
          .where('expires', '<', atMs - EXPIRED_KEPT_MS)
          .execute()
        await queries
          .insertInto('account_codes')
          .values({ uid, kind, hash, expires: expiresMs })
          .onConflict((conflict) => conflict.columns(['uid', 'kind']).doUpdateSet({ hash, expires: expiresMs }))
          .execute()
      }),
    code: async (hash) => {
      const row = await database.queries
        .selectFrom('account_codes')
        .innerJoin('accounts', 'accounts.uid', 'account_codes.uid')
        .select(['account_codes.uid', 'kind', 'expires', 'email'])
        .where('hash', '=', hash)
        .executeTakeFirst()
      if (row === undefined) return undefined
      return { uid: row.uid, kind: row.kind === 'reset' ? 'reset' : 'verify', email: row.email, expiresMs: row.expires }
    },
    resetPassword: (hash, passwordHash, atMs) =>
      database.write(async (queries) => {
        const uid = await takeCode(queries, hash, 'reset', atMs)
        return uid !== undefined && (await changePassword(queries, { uid, passwordHash, atMs, verified: true }))
      }),
    verifyEmail: (hash, atMs) =>
      database.write(async (queries) => {
        const uid = await takeCode(queries, hash, 'verify', atMs)
        if (uid === undefined) return false
        const changed = await queries.updateTable('accounts').set({ email_verified: 1 }).where('uid', '=', uid).executeTakeFirst()
        return changed.numUpdatedRows > 0n
      }),
    endSession: (familyId, tokenHash) =>
      database.write(async (queries) => {
        const known = await queries
          .selectFrom('refresh_tokens')
          .select('hash')
          .where('family_id', '=', familyId)
          .where('hash', '=', tokenHash)
          .executeTakeFirst()
        if (known !== undefined) await endFamily(queries, familyId)
      }),
    setDisabled: (uid, disabled) =>
      database.write(async (queries) => {
        const changed = await queries
          .updateTable('accounts')
          .set((eb) => ({ disabled: disabled ? 1 : 0, ...(disabled ? {} : { valid_after: eb('valid_after', '+', 1) }) }))
          .where('uid', '=', uid)
          .where('disabled', '=', disabled ? 0 : 1)
          .executeTakeFirst()
        // While it is disabled its log-ins are told so; none of them comes back with it.
        if (!disabled && changed.numUpdatedRows > 0n) await endSessions(queries, uid)
        return (await queries.selectFrom('accounts').select('uid').where('uid', '=', uid).executeTakeFirst()) !== undefined
      }),
    remove: (uid) =>
      database.write(async (queries) => {
        const gone = await queries.deleteFrom('accounts').where('uid', '=', uid).returning('email').executeTakeFirst()
        if (gone === undefined) return false
        await endSessions(queries, uid)
        await queries.deleteFrom('account_codes').where('uid', '=', uid).execute()
        await queries.deleteFrom('roles').where('email', '=', gone.email).execute()
        await forgetDiscord(queries, uid)
        await forgetMakeHistory(queries, uid)
        await forgetFavorites(queries, uid)
        return true
      }),
  }
}
