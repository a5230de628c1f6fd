/** An account of the embedded identity service. E-mail addresses are in lower case. */
export interface AccountsTable {
  uid: string
  email: string
  password_hash: string
  email_verified: number
  disabled: number
  created: number
  last_login: number
  /** The time before which issued ID tokens of the account are invalid. */
  valid_after: number
}

/** An account of the embedded identity service. Times are epoch milliseconds. */
export interface Account {
  uid: string
  /** The email address in lower case. */
  email: string
  passwordHash: string
  emailVerified: boolean
  disabled: boolean
  createdMs: number
  lastLoginMs: number
  /** The time in epoch milliseconds, to the second, before which issued ID tokens are invalid. */
  validAfterMs: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    accounts: AccountsTable
  }
}

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
