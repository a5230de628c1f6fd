import type { Role } from '../../contract/account.ts'
import type { Database, Queries } from './database.ts'
import { type RoleSource, type RoleStore, roles } from './interfaces/roles.ts'
import type { RolesTable } from './schema.ts'

const isRole = (text: string): text is Role => roles.some((role) => role === text)

/** Converts a row to a grant. The cast of `source` is safe because only `grant` writes the column. */
const grantOf = ({ email, role, source, until }: RolesTable) =>
  isRole(role) ? [{ email, role, source: source as RoleSource, untilMs: until ?? undefined }] : []

/** Selects the addresses with the role `subscriber` at `atMs`. */
export const subscriberEmails = (queries: Queries, atMs: number) =>
  queries
    .selectFrom('roles')
    .select('email')
    .where('role', '=', 'subscriber' satisfies Role)
    .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', atMs)]))

export function createRoleStore(database: Database): RoleStore {
  return {
    grant: (email, { role, source, untilMs }) =>
      database.write(async (queries) => {
        const until = untilMs ?? null
        await queries
          .insertInto('roles')
          .values({ email, role, source, until })
          .onConflict((conflict) => conflict.columns(['email', 'role', 'source']).doUpdateSet({ until }))
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
    listGrants: async (email) => {
      const rows = await database.queries
        .selectFrom('roles')
        .selectAll()
        .where('email', '=', email)
        .orderBy('role')
        .orderBy('source')
        .execute()
      return rows.flatMap(grantOf).map(({ role, source, untilMs }) => ({ role, source, untilMs }))
    },
    revokeAll: (email) =>
      database.write(async (queries) => {
        await queries.deleteFrom('roles').where('email', '=', email).execute()
      }),
    listActiveRoles: async (email, nowMs) => {
      const rows = await database.queries
        .selectFrom('roles')
        .select('role')
        .distinct()
        .where('email', '=', email)
        .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', nowMs)]))
        .orderBy('role')
        .execute()
      return rows.map((row) => row.role).filter(isRole)
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
