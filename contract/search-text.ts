/*
 * How texts are searched. The server's two databases and the page (for the songs on a device) import these functions, so that a search finds the
 * same songs everywhere.
 *
 * A text is searched in its folded form (`foldText`) and in other spellings of its words (`searchTextsOf`). A search text is folded as well, and each
 * of its words must occur: at the start of a word if it has one or two letters, else anywhere. In scripts that are written without spaces, words of
 * one or two characters occur anywhere, too.
 */

/** Increment after any change of this file: catalogues whose texts and index were computed differently are then rebuilt when they are opened. */
export const SEARCH_TEXT_VERSION = 2

/**
 * Replacements of letters that Unicode normalization (NFKD) does not decompose, and of letters that keyboards of one script write differently: final
 * sigma, the Persian and Urdu forms of Arabic letters, Devanagari's optional dot and nasal sign.
 */
const LETTERS: Record<string, string> = {
  ...{ ø: 'o', đ: 'd', ð: 'd', ł: 'l', ħ: 'h', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ı: 'i', ς: 'σ' },
  ...{ ی: 'ي', ى: 'ي', ے: 'ي', ک: 'ك', ة: 'ه', ہ: 'ه', ھ: 'ه', ە: 'ه', ٱ: 'ا' },
  ...{ '\u093C': '', '\u0901': '\u0902' },
}
const REPLACED_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu')

/** Signs that are left out within a word. The zero-width non-joiner separates the parts of a Persian word. */
const APOSTROPHES = /[´`‘’ʼʻ＇׳״\u200C]|(?<=\p{Script=Hebrew})"(?=\p{Script=Hebrew})/gu

/** Characters without an appearance of their own: joiners, direction marks, soft hyphens, variation selectors, the Arabic elongation. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u0640]/gu

/**
 * Matches accents, and, as the group, letters that are distinct from the same letter without the mark (й, ў, ї, ѓ, ќ). Vowel signs and tones of
 * Indic and Southeast Asian scripts are no accents, nor are the voicing marks of Kana.
 */
const ACCENTS =
  /([иу]\u0306|і\u0308|[гк]\u0301)|(?![\u3099\u309A])(?=\p{M})[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Cyrillic}]/gu

const ARABIC_DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g

const IS_ASCII = /^[\0-\x7F]*$/

/** Returns `text` in lower case, without accents and invisible characters, and with `'` as the only apostrophe. */
function simplify(text: string): string {
  if (IS_ASCII.test(text)) return text.toLowerCase().replaceAll('`', "'")
  return text
    .replace(APOSTROPHES, "'")
    .normalize('NFKD')
    .toLowerCase()
    .replace(INVISIBLE, '')
    .replace(ACCENTS, '$1')
    .replace(REPLACED_LETTERS, (letter) => LETTERS[letter] ?? letter)
    .replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) & 15))
    .normalize('NFC')
}

const WORD_CHARACTER = String.raw`[\p{L}\p{N}\p{M}]`
const WORD = new RegExp(`${WORD_CHARACTER}+`, 'gu')
const INNER_APOSTROPHE = new RegExp(`(?<=${WORD_CHARACTER})'(?=${WORD_CHARACTER})`, 'gu')
/** An abbreviation of single letters: R.E.M. */
const INITIALS = new RegExp(String.raw`(?<!${WORD_CHARACTER})\p{L}(?:\.\p{L})+(?!${WORD_CHARACTER})`, 'gu')
/** Signs in place of letters in names: P!nk, Ke$ha. */
const SIGN_FOR_I = /(?<=\p{Script=Latin})!(?=\p{Script=Latin})/gu
const SIGN_FOR_S = /\$(?=\p{Script=Latin})|(?<=\p{Script=Latin})\$/gu

function wordsOf(simplified: string): string[] {
  const joined = /['!$.]/.test(simplified)
    ? simplified
        .replace(SIGN_FOR_I, 'i')
        .replace(SIGN_FOR_S, 's')
        .replace(INNER_APOSTROPHE, '')
        .replace(INITIALS, (initials) => initials.replaceAll('.', ''))
    : simplified
  return joined.match(WORD) ?? []
}

const signsOf = (simplified: string): string => simplified.split(/\s+/).filter(Boolean).join(' ')

/**
 * Returns `text` normalized for search: lower case, without accents, letters and digits of any script, words separated by single spaces. A text
 * without letters and digits, such as the name '!!!', consists of its signs. Equal results are one artist, and the order by title is by this form.
 */
export function foldText(text: string): string {
  const simplified = simplify(text)
  return wordsOf(simplified).join(' ') || signsOf(simplified)
}

/** Matches any text with other spellings, and is faster than the expressions below. */
const HAS_SPELLINGS = /[-‐‑./&+_*:@·・'!$]|[\p{So}†‡※\u2190-\u22FF\u266F]| n /u

/** Words that a sign connects: Don't, AC/DC, Hip-Hop, R.E.M. */
const COMPOUND = new RegExp(`${WORD_CHARACTER}+(?:[-‐‑./&+_*:@·・'!$]${WORD_CHARACTER}+)+`, 'gu')
/** "Rock 'n' Roll", which is also written as one word. */
const AND_BETWEEN_WORDS = /(?<=\p{L}) '?n'? (?=\p{L})/gu
/** Symbols that people search for, such as ★, ∞ and 🔥. ASCII signs occur too often. */
const SYMBOLS = /[\p{So}†‡※\u2190-\u22FF\u266F]+/gu

/**
 * Returns the folded text, and other spellings of its words, separated by spaces, which a search finds as well: the parts of words that `foldText`
 * joins ('don t', 'r e m'), the compounds that it separates ('acdc', 'hiphop'), and symbols. Most texts have no other spellings.
 */
export function searchTextsOf(text: string): { folded: string; spellings: string } {
  const simplified = simplify(text)
  const words = wordsOf(simplified)
  if (words.length === 0) return { folded: signsOf(simplified), spellings: '' }
  const folded = words.join(' ')
  if (!HAS_SPELLINGS.test(simplified)) return { folded, spellings: '' }
  const spellings = new Set<string>()
  for (const [compound] of simplified.replace(AND_BETWEEN_WORDS, "'n'").matchAll(COMPOUND)) {
    const parts = compound.match(WORD) ?? []
    for (const spelling of [...parts, wordsOf(compound).join('')]) if (!words.includes(spelling)) spellings.add(spelling)
  }
  for (const [symbols] of simplified.matchAll(SYMBOLS)) spellings.add(symbols)
  return { folded, spellings: [...spellings].join(' ') }
}

/** Returns the text in which terms are searched: a space before every word, so that a term can match the start of a word. */
export function searchedTextOf(text: string): string {
  const { folded, spellings } = searchTextsOf(text)
  return ` ${folded} ${spellings}`
}

/** Matches dense characters: those of scripts without spaces between words, and signs. */
const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]|[^\p{L}\p{N}\p{M}]/u

const isPrefix = (word: string): boolean => Array.from(word).length < 3 && !DENSE.test(word)

/** Returns the substrings to search for, one for each word of a folded search text. */
export const toSearchTerms = (folded: string): string[] => [...new Set(folded.split(' '))].map(toSearchTerm)
export const toSearchTerm = (word: string): string => (isPrefix(word) ? ` ${word}` : word)

export const matchesTerms = (searchedText: string, terms: readonly string[]): boolean => terms.every((term) => searchedText.includes(term))

/*
 * Tokens for a full-text index. Characters of scripts without spaces are indexed alone and as pairs, other words by their trigrams and by the first
 * one and two letters. All tokens of a search word must match; a longer word is then compared with the text itself, because its tokens may
 * occur apart from each other.
 */
const PREFIX_MARK = '_'

/** Returns the characters of a word as they are indexed. Signs of ASCII separate tokens in the index, so their full-width forms are used. */
const tokenCharactersOf = (word: string): string[] =>
  Array.from(/[!-/:-@[-`{-~]/.test(word) ? word.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)) : word)

/** Returns the sequences of a word that are indexed: of two characters if either is dense, else of three characters that are not. */
function sequencesOf(characters: readonly string[], areDense: readonly boolean[] | undefined): string[] {
  const sequences: string[] = []
  for (let i = 0; i + 2 <= characters.length; i++) {
    if (areDense?.[i] || areDense?.[i + 1]) sequences.push(`${characters[i]}${characters[i + 1]}`)
    else if (i + 3 <= characters.length && !areDense?.[i + 2]) sequences.push(`${characters[i]}${characters[i + 1]}${characters[i + 2]}`)
  }
  return sequences
}

/** Returns which characters of a word are dense; `undefined` if none is. */
const findDense = (word: string, characters: readonly string[]): boolean[] | undefined =>
  DENSE.test(word) ? characters.map((character) => DENSE.test(character)) : undefined

/** Returns the index tokens of a text of words that are separated by spaces, separated by spaces. */
export function indexTokens(words: string): string {
  const tokens = new Set<string>()
  for (const word of words.split(' ')) {
    const characters = tokenCharactersOf(word)
    const [first, second] = characters
    if (first === undefined) continue
    const areDense = findDense(word, characters)
    if (!areDense?.[0]) tokens.add(PREFIX_MARK + first)
    if (second !== undefined && !areDense?.[0] && !areDense?.[1]) tokens.add(PREFIX_MARK + first + second)
    for (const [index, character] of characters.entries()) if (areDense?.[index]) tokens.add(character)
    for (const sequence of sequencesOf(characters, areDense)) tokens.add(sequence)
  }
  return [...tokens].join(' ')
}

/** Returns the tokens that every text containing `word` has. */
export function wordTokens(word: string): string[] {
  const characters = tokenCharactersOf(word)
  if (isPrefix(word)) return [PREFIX_MARK + word]
  return characters.length === 1 ? characters : [...new Set(sequencesOf(characters, findDense(word, characters)))]
}

/** Returns true if a text can have all `wordTokens(word)` without containing the word. */
export const needsTextCheck = (word: string): boolean => Array.from(word).length > (DENSE.test(word) ? 2 : 3)
