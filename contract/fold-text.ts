// These functions normalize names and titles, so that equal ones can be found although they are written differently. The search (`search-text.ts`)
// uses these functions.

/**
 * Replacements of letters that Unicode normalization (NFKD) does not decompose, and of letters that keyboards of one script write differently: final
 * sigma, the Persian and Urdu forms of Arabic letters, Devanagari's optional dot and nasal sign.
 */
const LETTER_REPLACEMENTS: Record<string, string> = {
  ...{ ø: 'o', đ: 'd', ð: 'd', ł: 'l', ħ: 'h', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ı: 'i', ς: 'σ' },
  ...{ ی: 'ي', ى: 'ي', ے: 'ي', ک: 'ك', ة: 'ه', ہ: 'ه', ھ: 'ه', ە: 'ه', ٱ: 'ا' },
  ...{ '\u093C': '', '\u0901': '\u0902' },
}
const REPLACED_LETTERS = new RegExp(`[${Object.keys(LETTER_REPLACEMENTS).join('')}]`, 'gu')

/**
 * Characters that are treated like an apostrophe, which is left out within a word. The zero-width non-joiner (U+200C) separates the parts of a
 * Persian word.
 */
const APOSTROPHES = /[´`‘’ʼʻ＇׳״\u200C]|(?<=\p{Script=Hebrew})"(?=\p{Script=Hebrew})/gu

/** Characters without an appearance of their own: joiners, direction marks, soft hyphens, variation selectors, the Arabic elongation. */
const INVISIBLE_CHARACTERS = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u0640]/gu

/**
 * Matches accents, to remove them. Also matches, as capture group 1, the letters that stay because they are distinct from the same letter without the
 * mark (й, ў, ї, ѓ, ќ). Vowel signs and tones of Indic and Southeast Asian scripts are no accents, nor are the voicing marks of Kana.
 */
const ACCENTS =
  /([иу]\u0306|і\u0308|[гк]\u0301)|(?![\u3099\u309A])(?=\p{M})[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Cyrillic}]/gu

const ARABIC_DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g

const ASCII_TEXT = /^[\0-\x7F]*$/

/** Returns `text` in lower case, without accents and invisible characters, and with `'` as the only apostrophe. */
export function simplifyText(text: string): string {
  if (ASCII_TEXT.test(text)) return text.toLowerCase().replaceAll('`', "'")
  return (
    text
      .replace(APOSTROPHES, "'")
      .normalize('NFKD')
      // The apostrophes into which NFKD decomposes ŉ, ` (U+1FEF) and ｀.
      .replace(/[ʼ`]/g, "'")
      .toLowerCase()
      .replace(INVISIBLE_CHARACTERS, '')
      .replace(ACCENTS, '$1')
      .replace(REPLACED_LETTERS, (letter) => LETTER_REPLACEMENTS[letter] ?? letter)
      .replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) & 15))
      .normalize('NFC')
  )
}

export const WORD_CHARACTER = String.raw`[\p{L}\p{N}\p{M}]`
export const WORD_PATTERN = new RegExp(`${WORD_CHARACTER}+`, 'gu')
const INNER_APOSTROPHE = new RegExp(`(?<=${WORD_CHARACTER})'(?=${WORD_CHARACTER})`, 'gu')
/** An abbreviation of single letters: R.E.M. */
const DOTTED_INITIALS = new RegExp(String.raw`(?<!${WORD_CHARACTER})\p{L}(?:\.\p{L})+(?!${WORD_CHARACTER})`, 'gu')
/** Signs in place of letters in names: P!nk, Ke$ha. */
const SIGN_FOR_I = /(?<=\p{Script=Latin})!(?=\p{Script=Latin})/gu
const SIGN_FOR_S = /\$(?=\p{Script=Latin})|(?<=\p{Script=Latin})\$/gu

/** Returns the words of a simplified text. */
export function splitWords(simplifiedText: string): string[] {
  const joinedText = /['!$.]/.test(simplifiedText)
    ? simplifiedText
        .replace(SIGN_FOR_I, 'i')
        .replace(SIGN_FOR_S, 's')
        .replace(INNER_APOSTROPHE, '')
        .replace(DOTTED_INITIALS, (initials) => initials.replaceAll('.', ''))
    : simplifiedText
  return joinedText.match(WORD_PATTERN) ?? []
}

/** Returns the folded form of a text without letters and digits. */
export const foldTextWithoutLetters = (simplified: string): string => simplified.split(/\s+/).filter(Boolean).join(' ')

/**
 * Returns `text` normalized for search: lower case, without accents, letters and digits of any script, words separated by single spaces. A text
 * without letters and digits, such as the name '!!!', keeps its punctuation. Author names with the same result are one artist, and songs are sorted
 * by the result for their title.
 */
export function foldText(text: string): string {
  const simplified = simplifyText(text)
  return splitWords(simplified).join(' ') || foldTextWithoutLetters(simplified)
}
