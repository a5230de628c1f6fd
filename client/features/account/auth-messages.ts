import type { PasswordPolicyCheck, PasswordRule } from './use-account.ts'

const WRONG_CREDENTIALS = 'The email or the password is wrong.'
const LINK_USED = 'This link was already used, or a newer one was sent. Ask for a new one.'
const EASY_PASSWORD =
  'This password is easy to guess: many people use it, or it is your address or the name of the site. Choose another one.'
const LOGIN_EXPIRED = 'Your session has ended. Log in again to continue.'

/** Messages by error code of the identity service, without the prefix `auth/`. */
const messagesByErrorCode: Record<string, string> = {
  'email-already-in-use': 'There is already an account with this email. Log in, or reset its password.',
  'invalid-email': 'This is not an email address. Check it and try again.',
  'missing-email': 'Enter your email.',
  'missing-password': 'Enter your password.',
  'wrong-password': WRONG_CREDENTIALS,
  'user-not-found': WRONG_CREDENTIALS,
  'invalid-credential': WRONG_CREDENTIALS,
  'invalid-login-credentials': WRONG_CREDENTIALS,
  'wrong-current-password': 'The current password is wrong.',
  'user-disabled': 'This account is disabled. Get in touch with us if you think that this is wrong.',
  'too-many-requests': 'There were too many attempts. Wait a few minutes and try again, or reset your password.',
  'network-request-failed': 'The site could not be reached. Check your connection and try again.',
  offline: 'You are offline. This needs a connection.',
  'requires-recent-login': 'Log in again to do this: it needs your password once more.',
  'user-token-expired': LOGIN_EXPIRED,
  'invalid-user-token': LOGIN_EXPIRED,
  'other-account': 'You are logged in to another account. Log in to the one this link was sent to.',
  'user-mismatch': 'This is the password of another account.',
  'expired-action-code': 'This link has expired. Ask for a new one.',
  'invalid-action-code': LINK_USED,
  'weak-password': 'This password is too weak. Choose a longer one.',
  'password-does-not-meet-requirements': 'This password does not meet the rules.',
  'operation-not-allowed': 'This is not possible on this site.',
}

/**
 * Returns the message for an error code. `policyCheck` adds the password policy to the message about a rejected password. `serviceText`, the
 * text of the identity service, is the message if the site has no text for the code.
 */
export function describeAuthError(errorCode: string, policyCheck?: PasswordPolicyCheck, serviceText?: string): string {
  const isPasswordError = errorCode === 'weak-password' || errorCode === 'password-does-not-meet-requirements'
  if (errorCode === 'weak-password' && policyCheck?.rules.every(({ met }) => met)) return EASY_PASSWORD
  if (isPasswordError && policyCheck)
    return `This password needs ${formatList(listVisiblePasswordRules(policyCheck).map(({ rule }) => describePasswordRule(rule, policyCheck)))}.`
  return messagesByErrorCode[errorCode] ?? serviceText ?? 'Something went wrong. Try again in a moment.'
}

/** Returns the rules to show below a password field. The maximum length is shown only if the password exceeds it. */
export const listVisiblePasswordRules = ({ rules }: PasswordPolicyCheck) => rules.filter(({ rule, met }) => rule !== 'max-length' || !met)

/** Returns the text of one password rule, for a list of rules. */
export function describePasswordRule(rule: PasswordRule, { minLength, maxLength }: PasswordPolicyCheck): string {
  const textByRule: Record<PasswordRule, string> = {
    length: `${minLength} characters or more`,
    'max-length': maxLength === undefined ? 'fewer characters' : `${maxLength} characters or fewer`,
    lowercase: 'a small letter',
    uppercase: 'a capital letter',
    digit: 'a digit',
    sign: 'a sign such as ! or ?',
  }
  return textByRule[rule]
}

const formatList = (items: readonly string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(items)
