import type { Account, LoginPlace } from './accounts.ts'

/** A login of an account. */
export interface Login extends LoginPlace {
  loginId: string
  createdMs: number
  /** The time of the last refresh, which happens once an hour while the login is used. */
  lastUsedMs: number
}

/** A replacement of a refresh token by a new one of the same family (refresh token rotation, RFC 9700 section 4.14.2). */
export interface TokenRotation extends LoginPlace {
  familyId: string
  presentedHash: string
  replacementHash: string
  atMs: number
  /** How long a replaced token stays valid, so that concurrent tabs and lost responses do not end the login. */
  graceMs: number
}

/** The account of a refreshed login. */
export interface RotatedLogin {
  account: Account
  loginId: string
  authTimeMs: number
}

/** Logins of the embedded identity service. They are added with their account or its password: `AccountStore`. Each method runs in one transaction. */
export interface LoginStore {
  /** Returns the account of a login; `undefined` if the login has ended. */
  findAccount(loginId: string): Promise<Account | undefined>
  /** Returns the logins of an account, the last used first. */
  listOf(uid: string): Promise<Login[]>
  /**
   * Replaces a refresh token and returns its account. A token that is unknown to its family, or replaced longer than the grace period ago,
   * was probably stolen: the whole family is deleted and `undefined` is returned. A missing or idle family also returns `undefined`.
   */
  rotate(rotation: TokenRotation): Promise<RotatedLogin | undefined>
  /** Ends the login that a current or replaced refresh token belongs to. An unknown token changes nothing. */
  endByToken(familyId: string, tokenHash: string): Promise<void>
  /** Ends one login of an account. Returns false if the account has no such login. */
  end(uid: string, loginId: string): Promise<boolean>
  /** Ends all logins of an account, except one if it is given. */
  endAll(uid: string, exceptLoginId?: string): Promise<void>
}
