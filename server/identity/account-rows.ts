import type { AccountsTable } from '../storage/account-tables.ts'
import type { Account } from '../storage/interfaces/accounts.ts'

export const accountOf = (row: AccountsTable): Account => ({
  uid: row.uid,
  email: row.email,
  passwordHash: row.password_hash,
  emailVerified: row.email_verified === 1,
  disabled: row.disabled === 1,
  createdMs: row.created,
  lastLoginMs: row.last_login,
  validAfterMs: row.valid_after,
})
