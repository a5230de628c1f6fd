/** Id and display name of a Discord account. */
export interface DiscordIdentity {
  id: string
  name: string
}

/** An attempt to link a Discord account (OAuth 2.0 authorization code flow). */
export interface NewLinkAttempt {
  uid: string
  tokenHash: string
  /** Hash of the cookie in the browser that started the attempt. */
  browserHash: string
  returnUrl: string
  expiresMs: number
  atMs: number
}

/** Linked Discord accounts, by uid of an account of this server or of a Firebase project. */
export interface DiscordStore {
  /** Starts an attempt. It replaces an earlier attempt of the same account. */
  startLink(attempt: NewLinkAttempt): Promise<void>
  /** Takes an attempt, at most once. Returns `undefined` if it is unknown, expired or already taken. */
  takeAttempt(tokenHash: string, atMs: number): Promise<{ browserHash: string; returnUrl: string } | undefined>
  /**
   * Completes an attempt that was taken and links the Discord account in place of an earlier one. `taken`: another account has linked that
   * Discord account. `expired`: a newer attempt has replaced this one, or the account was deleted.
   */
  completeLink(tokenHash: string, identity: DiscordIdentity, atMs: number): Promise<'linked' | 'taken' | 'expired'>
  find(uid: string): Promise<(DiscordIdentity & { linkedMs: number }) | undefined>
  /** Deletes the account's link and its pending attempt. */
  deleteAll(uid: string): Promise<void>
}
