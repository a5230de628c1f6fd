/** Who is signed in. */
export interface Person {
  uid: string
  email: string
  emailVerified: boolean
}

/**
 * Why something about an account could not be done: a code of the SDK without its `auth/`, such as `invalid-credential`.
 * `wrong-current-password`: the password of who is signed in, given once more, is not theirs.
 * `network-request-failed`: nothing was said about the account, so it can be tried again.
 */
export class IdentityFailure extends Error {
  override readonly name = 'IdentityFailure'
  constructor(
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(code, options)
  }
}

/** What the service that keeps the accounts wants of a password. */
export interface PasswordAdvice {
  /** What is asked for, and whether the password has it. */
  rules: readonly { rule: PasswordRule; met: boolean }[]
  minLength: number
  /** Where there is a most. */
  maxLength?: number | undefined
}
export type PasswordRule = 'length' | 'max-length' | 'lowercase' | 'uppercase' | 'digit' | 'sign'
