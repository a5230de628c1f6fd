import type { Role } from '../../../contract/account.ts'
import type { Pagination } from '../pagination.ts'

export const roles = ['subscriber', 'donator'] as const satisfies readonly Role[]

/** Origin of a grant. Each source grants and revokes independently of the other. */
export type RoleSource = 'admin' | 'payment'

export interface RoleGrant {
  role: Role
  source: RoleSource
  /** The end of the grant in epoch milliseconds; undefined if the grant has no end. */
  untilMs: number | undefined
}

/** An account, as far as roles are concerned. */
export interface RoleHolder {
  uid: string
  /** The address, in lower case, if the account has verified it: what was given to an address is for who can read its mail. */
  verifiedEmail: string | undefined
}

/** Roles by e-mail address in lower case. The address need not have an account: a grant waits until an account has verified the address. */
export interface RoleStore {
  /** Stores a grant, for the account that this server has for the address, if any. It replaces an earlier grant of the same role and source. */
  grant(email: string, grant: RoleGrant): Promise<void>
  /** Deletes a grant. Returns false if there was none. */
  revoke(email: string, role: Role, source: RoleSource): Promise<boolean>
  /** Deletes all grants of an account. */
  deleteAll(holder: RoleHolder): Promise<void>
  /** Lists all grants of an account, including expired ones. */
  listGrants(holder: RoleHolder): Promise<RoleGrant[]>
  list(page: Pagination): Promise<(RoleGrant & { email: string })[]>
}
