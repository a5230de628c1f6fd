import type { PasswordAdvice, PasswordRule } from '../../bindings/account.ts'

const wrongPair = 'The email or the password is wrong.'
const deadLink = 'This link was used already, or a newer one was sent. Ask for a new one.'
const sessionOver = 'Your session has ended. Log in again to go on.'

/** What each code of the service means to a person; without its `auth/`. */
const sentences: Record<string, string> = {
  'email-already-in-use': 'There is an account with this email already. Log in, or reset its password.',
  'invalid-email': 'This is not an email address. Check it and try again.',
  'missing-email': 'Enter your email.',
  'missing-password': 'Enter your password.',
  'wrong-password': wrongPair,
  'user-not-found': wrongPair,
  'invalid-credential': wrongPair,
  'invalid-login-credentials': wrongPair,
  'wrong-current-password': 'The current password is wrong.',
  'user-disabled': 'This account is disabled. Get in touch with us if you think that this is wrong.',
  'too-many-requests': 'There were too many attempts. Wait a few minutes and try again, or reset your password.',
  'network-request-failed': 'The site could not be reached. Check your connection and try again.',
  offline: 'You are offline. This needs a connection.',
  'requires-recent-login': 'This needs your password once more. Log in again and repeat it.',
  'user-token-expired': sessionOver,
  'invalid-user-token': sessionOver,
  'user-mismatch': 'This is the password of another account.',
  'expired-action-code': 'This link has expired. Ask for a new one.',
  'invalid-action-code': deadLink,
  'weak-password': 'This password is too weak. Choose a longer one.',
  'password-does-not-meet-requirements': 'This password is not what the site asks for.',
  'operation-not-allowed': 'This is not possible on this site.',
}

/** A sentence for any code; `advice` says what a password lacks. */
export function sentenceFor(code: string, advice?: PasswordAdvice): string {
  const isAboutPassword = code === 'weak-password' || code === 'password-does-not-meet-requirements'
  if (isAboutPassword && advice)
    return `This password is not what the site asks for. It needs ${listed(asked(advice).map(({ rule }) => wanted(rule, advice)))}.`
  return sentences[code] ?? 'Something went wrong. Try again in a moment.'
}

/** The rules that a person should know of: a limit that nobody meets by accident is told to who has met it. */
export const asked = ({ rules }: PasswordAdvice) => rules.filter(({ rule, met }) => rule !== 'max-length' || !met)

/** What a rule asks for, as it stands in a list of them. */
export function wanted(rule: PasswordRule, { minLength, maxLength }: PasswordAdvice): string {
  const words: Record<PasswordRule, string> = {
    length: `${minLength} characters or more`,
    'max-length': maxLength === undefined ? 'fewer characters' : `${maxLength} characters or fewer`,
    lowercase: 'a small letter',
    uppercase: 'a capital letter',
    digit: 'a digit',
    sign: 'a sign such as ! or ?',
  }
  return words[rule]
}

const listed = (parts: readonly string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(parts)
