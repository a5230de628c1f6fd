import type { Role } from '../../../contract/account.ts'
import type { Pagination } from './pagination.ts'

export const roles = ['subscriber', 'donator'] as const satisfies readonly Role[]

/** Origin of a grant. Each source grants and revokes independently of the other. */
export type RoleSource = 'admin' | 'payment'

export interface RoleGrant {
  role: Role
  source: RoleSource
  /** The end of the grant in epoch milliseconds; undefined if the grant has no end. */
  untilMs: number | undefined
}

/** Roles by e-mail address in lower case. The address need not have an account. */
export interface RoleStore {
  /** Stores a grant. It replaces an earlier grant of the same role and source. */
  grant(email: string, grant: RoleGrant): Promise<void>
  /** Deletes a grant. Returns false if there was none. */
  revoke(email: string, role: Role, source: RoleSource): Promise<boolean>
  /** Deletes all grants of the address. */
  revokeAll(email: string): Promise<void>
  /** Lists all grants of the address, including expired ones. */
  listGrants(email: string): Promise<RoleGrant[]>
  /** Lists the roles of the address whose grant has not expired. */
  listActiveRoles(email: string, nowMs: number): Promise<Role[]>
  list(page: Pagination): Promise<(RoleGrant & { email: string })[]>
}
