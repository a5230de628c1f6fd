import type { Pagination } from '../pagination.ts'

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

export interface NewAccount {
  uid: string
  email: string
  /** False by default. */
  emailVerified?: boolean
  passwordHash: string
  atMs: number
}

/** Where a login was used last: the only things about a client that are stored, in the words that its owner reads. */
export interface LoginPlace {
  /** For instance 'Chrome on Android'. */
  device: string
  /** The client's network, for instance '203.0.113.x'. */
  network: string
}

/** A new login: the family of its refresh tokens and the hash of the first token. */
export interface NewLogin extends LoginPlace {
  /** The public id of the login, which its identity tokens carry. */
  loginId: string
  familyId: string
  tokenHash: string
  /** The time in epoch milliseconds when the user last entered the password; 0 for a login that is not a proof of it. */
  authTimeMs: number
}

/** Purpose of a one-time code sent by e-mail: password reset or address verification. */
export type CodeKind = 'reset' | 'verify'

export interface AccountCode {
  uid: string
  kind: CodeKind
  email: string
  expiresMs: number
}

export interface NewAccountCode {
  uid: string
  kind: CodeKind
  hash: string
  expiresMs: number
  atMs: number
}

/** Accounts of the embedded identity service. Each method runs in one transaction. */
export interface AccountStore {
  /** Creates an account and, if given, its first login. Returns false if the address already has an account. */
  create(account: NewAccount, login?: NewLogin): Promise<boolean>
  findByUid(uid: string): Promise<Account | undefined>
  findByEmail(email: string): Promise<Account | undefined>
  /** Lists the accounts, oldest first. */
  list(page: Pagination): Promise<Account[]>
  /** Adds a login. Returns false if the account is missing or disabled, or its password hash is no longer `checkedHash`. */
  addLogin(uid: string, checkedHash: string, login: NewLogin): Promise<boolean>
  /**
   * Sets a new password, ends all logins and adds `login`. Returns false if the account is missing or its password hash is no longer
   * `checkedHash`, so that a concurrent password change is not overwritten.
   */
  setPassword(uid: string, checkedHash: string, passwordHash: string, atMs: number, login: NewLogin): Promise<boolean>
  /** Stores a one-time code. It replaces an earlier code of the same account and kind. */
  replaceCode(code: NewAccountCode): Promise<void>
  /** Returns the code of an account and kind. */
  codeOf(uid: string, kind: CodeKind): Promise<{ hash: string; expiresMs: number } | undefined>
  /** Finds a one-time code by its hash. Expired codes are found too. */
  findCode(hash: string): Promise<AccountCode | undefined>
  /** Consumes a code of the kind 'reset', sets the password and marks the address as verified. Returns false if the code is invalid. */
  resetPassword(hash: string, passwordHash: string, atMs: number): Promise<boolean>
  /** Consumes a code of the kind 'verify' of this account and marks its address as verified. Returns false if the code is invalid. */
  verifyEmail(uid: string, hash: string, atMs: number): Promise<boolean>
  /** Disables or enables an account. Returns false if the account does not exist. */
  setDisabled(uid: string, disabled: boolean): Promise<boolean>
  /** Deletes the account and all rows of its uid, and, if the account has verified its address, the roles of the address. What was paid stays with the address. Returns false if the account does not exist. */
  remove(uid: string, atMs: number): Promise<boolean>
}
