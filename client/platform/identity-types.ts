/** The email and id of the signed-in account, as this browser stores them. */
export interface SignedInAccount {
  uid: string
  email: string
  emailVerified: boolean
}

/**
 * A failed account operation. `code` is the SDK's error code without `auth/`, for example `invalid-credential`.
 * `wrong-current-password`: the confirmed password is not the account's.
 * `network-request-failed`: the service did not answer, so the operation can be repeated.
 */
export class IdentityFailure extends Error {
  override readonly name = 'IdentityFailure'
  constructor(
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(code, options)
  }

  /**
   * The error text of the identity service; `undefined` if the error does not come from the service. The SDK's message contains the text in
   * the form `Firebase: TEXT (auth/code).`
   */
  get serviceText(): string | undefined {
    if (!(this.cause instanceof Error) || !this.cause.message.startsWith('Firebase: ')) return undefined
    return this.cause.message.slice('Firebase: '.length).replace(/ ?\(auth\/[\w-]{1,100}\)\.?$/, '') || undefined
  }
}

/** The result of checking a password against the identity service's policy. */
export interface PasswordPolicyCheck {
  /** The rules of the policy, and whether the password meets them. */
  rules: readonly { rule: PasswordRule; met: boolean }[]
  minLength: number
  /** The maximum length of a password; absent if the policy has none. */
  maxLength?: number | undefined
}
export type PasswordRule = 'length' | 'max-length' | 'lowercase' | 'uppercase' | 'digit' | 'sign'
