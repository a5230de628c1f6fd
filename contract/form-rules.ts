import { isYouTubeHost } from './youtube.ts'

// Rules for text fields that several forms have. The forms and the server both apply these rules. This file contains no schemas, because pages that
// import it would load the schema library as well.

/**
 * Why a field's text is refused. `missing`: the form requires it. `invalid`: the text is not a valid address, name or number. `reserved`: the name
 * is not available. `hidden`: the text contains invisible characters.
 */
export type FieldProblem = 'missing' | 'invalid' | 'reserved' | 'hidden'

export const isBlankText = (text: string | undefined): boolean => text === undefined || text.trim() === ''

/** Returns whether a text has the form of an email address, without invisible characters. */
export const isEmail = (text: string): boolean =>
  /^[^\s\p{C}@,;:<>()"[\]\\]+@[^\s\p{C}@.,;:<>()"[\]\\]+(?:\.[^\s\p{C}@.,;:<>()"[\]\\]+)+$/u.test(text)

/** Parses an http or https URL. Returns `undefined` for any other text, and for a URL with a user name or invisible characters. */
function parseWebUrl(urlText: string): URL | undefined {
  if (/\p{C}/u.test(urlText) || !/^https?:\/\/[^\s@/?#]+(?:[/?#]\S*)?$/i.test(urlText) || !URL.canParse(urlText)) return undefined
  return new URL(urlText)
}

/** Returns whether a text is a web address whose host name contains a dot. */
export const isWebUrl = (text: string): boolean => /^https?:\/\/[^/?#.]+\.[^/?#]/i.test(text) && parseWebUrl(text) !== undefined

/** Returns whether a text is a web address of YouTube, with or without space around it. */
export function isYouTubeUrl(urlText: string): boolean {
  const hostname = parseWebUrl(urlText.trim())?.hostname
  return hostname !== undefined && isYouTubeHost(hostname)
}

/**
 * The limits of a new password's length: the minimum in code points and the maximum in UTF-16 units. Existing passwords of other lengths stay valid.
 */
export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 1000
