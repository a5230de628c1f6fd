import { expressionBuilder } from 'kysely'
import { memberRoles, type Role } from '../../contract/account.ts'
import type { Database, Queries } from '../storage/database.ts'
import type { Pagination } from '../storage/pagination.ts'

/** Roles by e-mail address, so that they can be granted before sign-up. `until` null means without end. */
interface RolesTable {
  email: string
  /** The uid of the account to which the role was granted; null if the email address had no account at that time. */
  uid: string | null
  role: string
  source: string
  until: number | null
}

declare module '../storage/schema.ts' {
  interface Tables {
    roles: RolesTable
  }
}

/** Origin of a grant. Each source grants and revokes independently of the other. */
export type RoleSource = 'admin' | 'payment'

export interface RoleGrant {
  role: Role
  source: RoleSource
  /** The end of the grant in epoch milliseconds; undefined if the grant has no end. */
  untilMs: number | undefined
}

/** The data of an account by which role grants are matched to it. */
export interface RoleHolder {
  uid: string
  /** The email address, in lower case, if the account has verified it: a role granted to an email address counts only after the address is verified. */
  verifiedEmail: string | undefined
}

const isRoleName = (text: string): text is Role => memberRoles.some((role) => role === text)

/** Converts a row to a grant. The cast of `source` is safe because only `grant` writes the column. */
const toRoleGrant = ({ email, role, source, until }: RolesTable) =>
  isRoleName(role) ? [{ email, role, source: source as RoleSource, untilMs: until ?? undefined }] : []

/** The condition for grants to an account, or to its verified address without a uid. */
export function isGrantedTo({ uid, verifiedEmail }: RoleHolder) {
  const eb = expressionBuilder<{ grants: { uid: string | null; email: string | null } }, 'grants'>()
  return eb.or([eb('uid', '=', uid), ...(verifiedEmail === undefined ? [] : [eb('uid', 'is', null).and('email', '=', verifiedEmail)])])
}

/** Selects those whom a role grant makes subscribers at `atMs`: the uids of accounts, or the email addresses for which no account is known. */
export const selectGrantedSubscribers = (queries: Queries, columnName: 'uid' | 'email', atMs: number) =>
  queries
    .selectFrom('roles')
    .select(columnName)
    .where('role', '=', 'subscriber' satisfies Role)
    .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', atMs)]))
    .where(columnName, 'is not', null)
    .$if(columnName === 'email', (query) => query.where('uid', 'is', null))

export async function deleteRoles(queries: Queries, holder: RoleHolder): Promise<void> {
  await queries.deleteFrom('roles').where(isGrantedTo(holder)).execute()
}

/** Roles by e-mail address in lower case. The address need not have an account: a grant waits until an account has verified the address. */
export function createRoleStore(database: Database) {
  return {
    /**
     * Stores a grant for an email address, and for the account with this address, if there is one. Replaces an earlier grant of the same role and
     * source.
     */
    grant: (email: string, { role, source, untilMs }: RoleGrant): Promise<void> =>
      database.write(async (queries) => {
        const accountRow = await queries.selectFrom('accounts').select('uid').where('email', '=', email).executeTakeFirst()
        const grantColumns = { uid: accountRow?.uid ?? null, until: untilMs ?? null }
        await queries
          .insertInto('roles')
          .values({ email, role, source, ...grantColumns })
          .onConflict((conflict) => conflict.columns(['email', 'role', 'source']).doUpdateSet(grantColumns))
          .execute()
      }),
    /** Deletes a grant. Returns false if there was none. */
    revoke: (email: string, role: Role, source: RoleSource): Promise<boolean> =>
      database.write(async (queries) => {
        const deletedRows = await queries
          .deleteFrom('roles')
          .where('email', '=', email)
          .where('role', '=', role)
          .where('source', '=', source)
          .executeTakeFirst()
        return deletedRows.numDeletedRows > 0n
      }),
    /** Lists all grants of an account, expired ones too. */
    listGrants: async (holder: RoleHolder): Promise<RoleGrant[]> => {
      const grantRows = await database.queries
        .selectFrom('roles')
        .selectAll()
        .where(isGrantedTo(holder))
        .orderBy('role')
        .orderBy('source')
        .execute()
      return grantRows.flatMap(toRoleGrant).map(({ role, source, untilMs }) => ({ role, source, untilMs }))
    },
    list: async ({ limit, offset }: Pagination): Promise<(RoleGrant & { email: string })[]> => {
      const grantRows = await database.queries
        .selectFrom('roles')
        .selectAll()
        .orderBy('email')
        .orderBy('role')
        .orderBy('source')
        .limit(limit)
        .offset(offset)
        .execute()
      return grantRows.flatMap(toRoleGrant)
    },
  }
}
export type RoleStore = ReturnType<typeof createRoleStore>
