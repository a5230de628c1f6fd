import { expressionBuilder } from 'kysely'
import type { Role } from '../../contract/account.ts'
import type { Database, Queries } from '../storage/database.ts'
import { type RoleHolder, type RoleSource, type RoleStore, roles } from '../storage/interfaces/roles.ts'
import type { RolesTable } from '../storage/schema.ts'

const isRole = (text: string): text is Role => roles.some((role) => role === text)

/** Converts a row to a grant. The cast of `source` is safe because only `grant` writes the column. */
const grantOf = ({ email, role, source, until }: RolesTable) =>
  isRole(role) ? [{ email, role, source: source as RoleSource, untilMs: until ?? undefined }] : []

/** The condition that a grant is for an account, or for its verified address and no account. */
export function heldBy({ uid, verifiedEmail }: RoleHolder) {
  const eb = expressionBuilder<{ grants: { uid: string | null; email: string | null } }, 'grants'>()
  return eb.or([eb('uid', '=', uid), ...(verifiedEmail === undefined ? [] : [eb('uid', 'is', null).and('email', '=', verifiedEmail)])])
}

/** Selects who is a subscriber by a grant at `atMs`: accounts by uid, or addresses for which no account is known. */
export const grantedSubscribers = (queries: Queries, column: 'uid' | 'email', atMs: number) =>
  queries
    .selectFrom('roles')
    .select(column)
    .where('role', '=', 'subscriber' satisfies Role)
    .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', atMs)]))
    .where(column, 'is not', null)
    .$if(column === 'email', (query) => query.where('uid', 'is', null))

/** Deletes the grants of an account. */
export async function deleteRoles(queries: Queries, holder: RoleHolder): Promise<void> {
  await queries.deleteFrom('roles').where(heldBy(holder)).execute()
}

export function createRoleStore(database: Database): RoleStore {
  return {
    grant: (email, { role, source, untilMs }) =>
      database.write(async (queries) => {
        const account = await queries.selectFrom('accounts').select('uid').where('email', '=', email).executeTakeFirst()
        const columns = { uid: account?.uid ?? null, until: untilMs ?? null }
        await queries
          .insertInto('roles')
          .values({ email, role, source, ...columns })
          .onConflict((conflict) => conflict.columns(['email', 'role', 'source']).doUpdateSet(columns))
          .execute()
      }),
    revoke: (email, role, source) =>
      database.write(async (queries) => {
        const deletedRows = await queries
          .deleteFrom('roles')
          .where('email', '=', email)
          .where('role', '=', role)
          .where('source', '=', source)
          .executeTakeFirst()
        return deletedRows.numDeletedRows > 0n
      }),
    deleteAll: (holder) => database.write((queries) => deleteRoles(queries, holder)),
    listGrants: async (holder) => {
      const rows = await database.queries.selectFrom('roles').selectAll().where(heldBy(holder)).orderBy('role').orderBy('source').execute()
      return rows.flatMap(grantOf).map(({ role, source, untilMs }) => ({ role, source, untilMs }))
    },
    list: async ({ limit, offset }) => {
      const rows = await database.queries
        .selectFrom('roles')
        .selectAll()
        .orderBy('email')
        .orderBy('role')
        .orderBy('source')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.flatMap(grantOf)
    },
  }
}
