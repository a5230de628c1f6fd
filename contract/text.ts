/** The flag of a part of a country, such as Scotland, is a visible emoji that is followed by invisible letters (UTS 51, emoji tag sequences). */
const REGION_FLAG = String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}`

/**
 * Matches the flag of a part of a country, or a hidden character: a control character, directional formatting, a zero-width or blank character.
 * Joiners and variation selectors do not match, because emoji and several scripts need them, nor do unassigned characters, because later versions
 * of Unicode assign them.
 */
const FLAG_OR_HIDDEN = new RegExp(
  String.raw`${REGION_FLAG}|(?!\u200C|\u200D|[\uFE00-\uFE0F]|[\u180B-\u180D\u180F])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]`,
  'gu',
)

/** Removes the hidden characters of a text, except those that encode a flag (such as Scotland's), because they are visible as the flag. The expression matches a flag as several characters, and other hidden characters one by one. */
const removeHiddenExcept = (text: string, allowed: string): string =>
  text.replace(FLAG_OR_HIDDEN, (found) => (found.length > 2 || allowed.includes(found) ? found : ''))

/** The invisible characters that a text of several lines may contain: line breaks, tabs, and direction marks (for right-to-left scripts). */
const ALLOWED_IN_MULTILINE_TEXT = '\n\r\t\u200E\u200F'

/** Returns whether a text has hidden characters. */
export const hasHiddenCharacters = (line: string): boolean => removeHiddenExcept(line, '') !== line

/**
 * Returns whether a letter has more than six accents, which browsers stack over the text above. No script needs as many: pointed Hebrew with cantillation
 * and Tibetan have up to five.
 */
export const hasStackedAccents = (text: string): boolean => /\p{M}{7}/u.test(text.normalize('NFC'))

/** Returns whether a text of several lines has hidden characters. Line breaks, tabs and direction marks do not count. */
export const hasHiddenCharactersInMultilineText = (text: string): boolean => removeHiddenCharacters(text) !== text

export const removeHiddenCharacters = (text: string): string => removeHiddenExcept(text, ALLOWED_IN_MULTILINE_TEXT)
