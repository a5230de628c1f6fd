/** ASCII replacements of the letters that Unicode normalization (NFKD) does not decompose. */
const ASCII_LETTERS: Record<string, string> = { ø: 'o', đ: 'd', ð: 'd', ł: 'l', ħ: 'h', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ı: 'i' }

/**
 * Returns `text` normalized for search, on the server and offline: lower case, without accents, letters and digits of any script, words separated by
 * single spaces. Returns an empty string if `text` has no letters or digits.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[øđðłħßæœþı]/g, (letter) => ASCII_LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * Returns whether a text has characters that nobody sees, or that show others in another order: controls, directional formatting, zero-width and unassigned
 * ones. Joiners are allowed, because emoji and several scripts need them.
 */
export const hasHiddenCharacters = (line: string): boolean => /[^\P{C}\u200C\u200D]/u.test(line)

/** The hidden characters of a text of several lines, in which right-to-left scripts may have their marks. */
const HIDDEN_IN_LINES = /[^\P{C}\n\r\t\u200C-\u200F]/u

/** The same for a text of several lines. */
export const hasHiddenCharactersInLines = (text: string): boolean => HIDDEN_IN_LINES.test(text)

export const withoutHiddenCharacters = (text: string): string => text.replace(new RegExp(HIDDEN_IN_LINES, 'gu'), '')
