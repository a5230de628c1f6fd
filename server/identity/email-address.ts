import { domainToASCII } from 'node:url'
import { IdentityError } from './identity-error.ts'

/**
 * The maximum length of a text that is parsed as an email address. It exceeds the maximum length of stored addresses, because the text can contain
 * surrounding spaces and decomposed letters.
 */
const GIVEN_EMAIL_MAX_LENGTH = 320
const EMAIL_MAX_LENGTH = 254
/**
 * The domain must not contain `%`, `/`, `?` or `#`: the conversion to ASCII would decode escapes with `%`, and would cut the domain at the other
 * three.
 */
const EMAIL_PATTERN = /^[^\s@,;:<>()"[\]\\\p{C}]+@[^\s@.,;:<>()"[\]\\\p{C}%/?#]+(?:\.[^\s@.,;:<>()"[\]\\\p{C}%/?#]+)*$/u
/** Matches an IPv4 address. The conversion to ASCII also turns numbers such as `0x7f000001` into an IPv4 address. */
const NUMERIC_HOST = /(?:^|\.)\d+$/

/** Returns an email address in the form in which it is stored and compared. @throws IdentityError if it is not an address */
export function normaliseEmail(givenEmail: string): string {
  // Normalisation takes quadratic time, so the length of the text is checked first.
  if (givenEmail.length > GIVEN_EMAIL_MAX_LENGTH) throw new IdentityError('INVALID_EMAIL')
  const email = givenEmail.trim().normalize('NFC').toLowerCase()
  if (email === '') throw new IdentityError('MISSING_EMAIL')
  if (email.length > EMAIL_MAX_LENGTH || !EMAIL_PATTERN.test(email)) throw new IdentityError('INVALID_EMAIL')
  // Converts the domain to ASCII, so that all spellings of an internationalised domain belong to one account.
  const atIndex = email.lastIndexOf('@')
  const domain = domainToASCII(email.slice(atIndex + 1))
  if (domain === '' || NUMERIC_HOST.test(domain)) throw new IdentityError('INVALID_EMAIL')
  return `${email.slice(0, atIndex)}@${domain}`
}

/**
 * Returns an email address that another service has sent, in the form in which addresses are compared. A text that is no address is returned in lower
 * case: no account can have it.
 */
export function toComparableEmail(givenEmail: string): string {
  try {
    return normaliseEmail(givenEmail)
  } catch {
    return givenEmail.trim().toLowerCase()
  }
}
