import { type DatabaseKind, textType } from '../kind.ts'

/**
 * Gives roles to accounts rather than to addresses that nobody has verified: a role belongs to the account that the address has here,
 * and promotions and websites keep an address only if it is verified.
 */
export function statements(kind: DatabaseKind): string[] {
  return [
    `alter table roles add column uid ${textType(kind)}`,
    'update roles set uid = (select uid from accounts where accounts.email = roles.email)',
    'create index roles_by_account on roles (uid)',
    ...['promotions', 'websites'].map(
      (table) => `update ${table} set email = '' where uid in (select uid from accounts where email_verified = 0)`,
    ),
  ]
}
