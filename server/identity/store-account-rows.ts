import type { SqlTypes } from '../storage/database.ts'

/** An account of the embedded identity service. E-mail addresses are in lower case. */
export interface AccountsTable {
  uid: string
  email: string
  password_hash: string
  email_verified: number
  disabled: number
  created: number
  last_login: number
  /** ID tokens of the account that were issued before this time are invalid. */
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
  /** ID tokens that were issued before this time (epoch milliseconds, whole seconds) are invalid. */
  validAfterMs: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    accounts: AccountsTable
  }
}

/** Creates the tables of accounts, logins, codes and roles. */
export const createAccountTables = ({ text }: SqlTypes): string[] => [
  `create table accounts (
    uid ${text} primary key, email ${text} not null unique, password_hash ${text} not null, email_verified integer not null,
    disabled integer not null, created bigint not null, last_login bigint not null, valid_after bigint not null)`,
  `create table refresh_families (id ${text} primary key, uid ${text} not null, auth_time bigint not null)`,
  'create index refresh_families_by_account on refresh_families (uid)',
  `create table refresh_tokens (
    hash ${text} primary key, family_id ${text} not null, issued bigint not null, replaced bigint)`,
  'create index refresh_tokens_by_family on refresh_tokens (family_id)',
  `create table account_codes (
    uid ${text} not null, kind ${text} not null, hash ${text} not null unique, expires bigint not null, primary key (uid, kind))`,
  `create table roles (
    email ${text} not null, role ${text} not null, source ${text} not null, until bigint, primary key (email, role, source))`,
]

export const toAccount = (accountRow: AccountsTable): Account => ({
  uid: accountRow.uid,
  email: accountRow.email,
  passwordHash: accountRow.password_hash,
  emailVerified: accountRow.email_verified === 1,
  disabled: accountRow.disabled === 1,
  createdMs: accountRow.created,
  lastLoginMs: accountRow.last_login,
  validAfterMs: accountRow.valid_after,
})
