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

/** A login: the family of refresh tokens that descend from one sign-in. */
export interface RefreshFamiliesTable {
  id: string
  uid: string
  auth_time: number
  /** The public id of the login. The id of the family ends it, if a made-up token is presented with it. */
  login_id: string
  /** For instance 'Chrome on Android'; empty until a login that an older version stored is used. */
  device: string
  network: string
  created: number
  last_used: number
}

/** Valid refresh tokens, and tokens replaced within the grace period. Only hashes are stored. */
export interface RefreshTokensTable {
  hash: string
  family_id: string
  issued: number
  replaced: number | null
}

/** One-time codes sent by mail; at most one of each kind per account. Only hashes are stored. */
export interface AccountCodesTable {
  uid: string
  kind: string
  hash: string
  expires: number
}
