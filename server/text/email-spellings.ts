import { domainToUnicode } from 'node:url'

/** Returns the spellings of a normalised address: with its domain in ASCII, and in Unicode. */
export function listEmailSpellings(email: string): string[] {
  const at = email.lastIndexOf('@')
  return [...new Set([email, `${email.slice(0, at)}@${domainToUnicode(email.slice(at + 1))}`])]
}
