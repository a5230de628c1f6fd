import { accountOf } from './account-rows.ts'
import type { AccountsTable } from '../storage/account-tables.ts'
import type { Database, Queries } from '../storage/database.ts'
import type { NewLogin } from '../storage/interfaces/accounts.ts'
import type { LoginStore } from '../storage/interfaces/logins.ts'
import { prepareQuery } from '../storage/prepare-query.ts'

/** The maximum number of refresh tokens of a login that are valid at the same time, because tabs refresh concurrently. */
const MAX_VALID_TOKENS = 20
/** The maximum number of logins of an account. A further one ends the login that was not used for the longest time. */
const LOGINS_MAX = 50
/** The time in milliseconds after which a login that is not used ends. */
const LOGIN_IDLE_MS = 180 * 24 * 3_600_000

export type InsertLogin = (transaction: Queries, uid: string, login: NewLogin, atMs: number) => Promise<void>

/** Returns what adds a login in a transaction. The account's row must be locked, so that the number of its logins is right. */
export function prepareInsertLogin(queries: Queries): InsertLogin {
  const listSurplus = prepareQuery<{ uid: string }, { id: string }>(queries, ['uid'], ({ uid }) =>
    queries
      .selectFrom('refresh_families')
      .select('id')
      .where('uid', '=', uid)
      .orderBy('last_used', 'desc')
      .limit(LOGINS_MAX)
      .offset(LOGINS_MAX - 1),
  )
  type Family = { familyId: string; uid: string; authTimeMs: number; loginId: string; device: string; network: string; atMs: number }
  const insertFamily = prepareQuery<Family, unknown>(
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

/** Deletes all logins of an account, except one if it is given. Deletes the families first: that waits for a concurrent rotation, whose new token is then deleted too. */
export async function deleteLogins(queries: Queries, uid: string, exceptLoginId?: string): Promise<void> {
  const families = queries
    .deleteFrom('refresh_families')
    .where('uid', '=', uid)
    .$if(exceptLoginId !== undefined, (query) => query.where('login_id', '<>', exceptLoginId ?? ''))
  await deleteTokens(queries, await families.returning('id').execute())
}

/** Deletes the logins that were not used for 180 days. */
export async function deleteIdleLogins(queries: Queries, atMs: number): Promise<void> {
  const idleFamilies = queries.deleteFrom('refresh_families').where('last_used', '<=', atMs - LOGIN_IDLE_MS)
  await deleteTokens(queries, await idleFamilies.returning('id').execute())
}

async function deleteFamily(queries: Queries, familyId: string): Promise<void> {
  await queries.deleteFrom('refresh_families').where('id', '=', familyId).execute()
  await deleteTokens(queries, [{ id: familyId }])
}

export function createLoginStore(database: Database): LoginStore {
  const accountByLogin = prepareQuery<{ loginId: string }, AccountsTable>(database.queries, ['loginId'], ({ loginId }) =>
    database.queries
      .selectFrom('refresh_families')
      .innerJoin('accounts', 'accounts.uid', 'refresh_families.uid')
      .selectAll('accounts')
      .where('login_id', '=', loginId),
  )
  return {
    async findAccount(loginId) {
      const [row] = await accountByLogin({ loginId })
      return row === undefined ? undefined : accountOf(row)
    },
    async listOf(uid) {
      const rows = await database.queries
        .selectFrom('refresh_families')
        .select(['login_id', 'device', 'network', 'created', 'last_used'])
        .where('uid', '=', uid)
        .orderBy('last_used', 'desc')
        .orderBy('created', 'desc')
        .execute()
      return rows.map(({ login_id, device, network, created, last_used }) => ({
        loginId: login_id,
        device,
        network,
        createdMs: created,
        lastUsedMs: last_used,
      }))
    },
    rotate: ({ familyId, presentedHash, replacementHash, atMs, graceMs, device, network }) =>
      database.write(async (queries) => {
        // Notes the use of the login first, which locks its row, so that rotations and deletions of one family are serialised.
        const family = await queries
          .updateTable('refresh_families')
          .set({ last_used: atMs, device, network })
          .where('id', '=', familyId)
          .where('last_used', '>', atMs - LOGIN_IDLE_MS)
          .returning(['uid', 'login_id', 'auth_time'])
          .executeTakeFirst()
        if (family === undefined) return undefined
        const tokens = await queries.selectFrom('refresh_tokens').selectAll().where('family_id', '=', familyId).orderBy('issued').execute()
        const presentedToken = tokens.find((token) => token.hash === presentedHash)
        // The difference is absolute, so that the grace period ends even if the clock was set back.
        const isGraceOver = ({ replaced }: { replaced: number | null }) => replaced !== null && Math.abs(atMs - replaced) >= graceMs
        if (presentedToken === undefined || isGraceOver(presentedToken)) {
          await deleteFamily(queries, familyId)
          return undefined
        }
        const validTokens = tokens.filter((token) => token.replaced === null && token !== presentedToken)
        const droppedTokens = [
          ...tokens.filter(isGraceOver),
          ...validTokens.slice(0, Math.max(0, validTokens.length + 1 - MAX_VALID_TOKENS)),
        ]
        for (const { hash } of droppedTokens) await queries.deleteFrom('refresh_tokens').where('hash', '=', hash).execute()
        if (presentedToken.replaced === null) {
          await queries.updateTable('refresh_tokens').set({ replaced: atMs }).where('hash', '=', presentedHash).execute()
        }
        await queries
          .insertInto('refresh_tokens')
          .values({ hash: replacementHash, family_id: familyId, issued: atMs, replaced: null })
          .execute()
        const account = await queries.selectFrom('accounts').selectAll().where('uid', '=', family.uid).executeTakeFirst()
        return account === undefined ? undefined : { account: accountOf(account), loginId: family.login_id, authTimeMs: family.auth_time }
      }),
    endByToken: (familyId, tokenHash) =>
      database.write(async (queries) => {
        const matchingToken = await queries
          .selectFrom('refresh_tokens')
          .select('hash')
          .where('family_id', '=', familyId)
          .where('hash', '=', tokenHash)
          .executeTakeFirst()
        if (matchingToken !== undefined) await deleteFamily(queries, familyId)
      }),
    end: (uid, loginId) =>
      database.write(async (queries) => {
        const endedLogin = queries.deleteFrom('refresh_families').where('uid', '=', uid).where('login_id', '=', loginId)
        const families = await endedLogin.returning('id').execute()
        await deleteTokens(queries, families)
        return families.length > 0
      }),
    endAll: (uid, exceptLoginId) => database.write((queries) => deleteLogins(queries, uid, exceptLoginId)),
  }
}
