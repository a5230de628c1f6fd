import { foldTextWithoutLetters, simplifyText, splitWords, WORD_CHARACTER, WORD_PATTERN } from './fold-text.ts'

/*
 * How texts are searched. The server's two databases and the page (for the songs on a device) import these functions, so that a search finds the
 * same songs everywhere.
 *
 * A text is searched in its folded form (`foldText`) and in other spellings of its words (`foldWithSpellings`). A search text is folded as well, and each
 * of its words must occur: at the start of a word if it has one or two letters, else anywhere. In scripts that are written without spaces, words of
 * one or two characters occur anywhere, too.
 */

/** Increment after any change of this file or of `fold-text.ts`: catalogues whose texts and index were computed differently are then rebuilt when they are opened. */
export const SEARCH_TEXT_VERSION = 3

/** A fast first test: matches every text for which the slower expressions below may find other spellings. */
const MAYBE_SPELLING_VARIANTS = /[-‐‑./&+_*:@·・'!$]|[\p{So}†‡※\u2190-\u22FF\u266F]| n /u

/** Words that are joined by signs: Don't, AC/DC, Hip-Hop, R.E.M. */
const COMPOUND_WORD = new RegExp(`${WORD_CHARACTER}+(?:[-‐‑./&+_*:@·・'!$]${WORD_CHARACTER}+)+`, 'gu')
/** The 'n' between two words, as in "Rock 'n' Roll", which people also write as one word. */
const AND_BETWEEN_WORDS = /(?<=\p{L}) '?n'? (?=\p{L})/gu
/** Symbols that people search for, such as ★, ∞ and 🔥. ASCII signs are not among them, because they occur too often. */
const SYMBOL_RUN = /[\p{So}†‡※\u2190-\u22FF\u266F]+/gu

/**
 * Returns the folded text, and other spellings of its words, separated by spaces, which a search finds as well: the parts of words that `foldText`
 * joins ('don t', 'r e m'), the compounds that it separates ('acdc', 'hiphop'), and symbols. Most texts have no other spellings.
 */
export function foldWithSpellings(text: string): { folded: string; spellings: string } {
  const simplifiedText = simplifyText(text)
  const textWords = splitWords(simplifiedText)
  if (textWords.length === 0) return { folded: foldTextWithoutLetters(simplifiedText), spellings: '' }
  const foldedText = textWords.join(' ')
  if (!MAYBE_SPELLING_VARIANTS.test(simplifiedText)) return { folded: foldedText, spellings: '' }
  const spellingSet = new Set<string>()
  for (const [compound] of simplifiedText.replace(AND_BETWEEN_WORDS, "'n'").matchAll(COMPOUND_WORD)) {
    const parts = compound.match(WORD_PATTERN) ?? []
    for (const spelling of [...parts, splitWords(compound).join('')]) if (!textWords.includes(spelling)) spellingSet.add(spelling)
  }
  for (const [symbols] of simplifiedText.matchAll(SYMBOL_RUN)) spellingSet.add(symbols)
  return { folded: foldedText, spellings: [...spellingSet].join(' ') }
}

/** Returns the text in which terms are searched: a space before every word, so that a term can match the start of a word. */
export function toSearchableText(text: string): string {
  const { folded, spellings } = foldWithSpellings(text)
  return ` ${folded} ${spellings}`
}

/** Matches dense characters, of which one or two can be a search word: those of scripts without spaces between words, and signs. */
const DENSE_SCRIPT_CHARACTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]|[^\p{L}\p{N}\p{M}]/u

/** Returns whether a text has characters of a script that is written without spaces between words, or signs. */
export const hasDenseCharacters = (text: string): boolean => DENSE_SCRIPT_CHARACTER.test(text)

const isPrefixWord = (word: string): boolean => Array.from(word).length < 3 && !DENSE_SCRIPT_CHARACTER.test(word)

/** Returns the substrings to search for, one for each word of a folded search text. */
export const toSearchTerms = (folded: string): string[] => [...new Set(folded.split(' '))].map(toSearchTerm)
export const toSearchTerm = (word: string): string => (isPrefixWord(word) ? ` ${word}` : word)

export const matchesTerms = (searchedText: string, terms: readonly string[]): boolean => terms.every((term) => searchedText.includes(term))

/*
 * Tokens for a full-text index. Characters of scripts without spaces are indexed alone and as pairs. Other words are indexed by every three
 * successive letters, by their first letter and by their first two letters. All tokens of a search word must match; a longer word is then compared
 * with the text itself, because its tokens may occur apart from each other.
 */
const PREFIX_MARK = '_'

/**
 * Returns the characters of a word as they are indexed: with the full-width forms of ASCII signs, because the index would split tokens at ASCII
 * signs.
 */
const listTokenCharacters = (word: string): string[] =>
  Array.from(/[!-/:-@[-`{-~]/.test(word) ? word.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)) : word)

/**
 * Returns the character sequences of a word that are indexed: every pair with a dense character (see `DENSE_SCRIPT_CHARACTER`), and every three successive characters
 * of which none is dense.
 */
function listIndexedSequences(wordCharacters: readonly string[], areDense: readonly boolean[] | undefined): string[] {
  const characterSequences: string[] = []
  for (let characterIndex = 0; characterIndex + 2 <= wordCharacters.length; characterIndex++) {
    if (areDense?.[characterIndex] || areDense?.[characterIndex + 1])
      characterSequences.push(`${wordCharacters[characterIndex]}${wordCharacters[characterIndex + 1]}`)
    else if (characterIndex + 3 <= wordCharacters.length && !areDense?.[characterIndex + 2])
      characterSequences.push(`${wordCharacters[characterIndex]}${wordCharacters[characterIndex + 1]}${wordCharacters[characterIndex + 2]}`)
  }
  return characterSequences
}

/** Returns for each character of a word whether it matches `DENSE_SCRIPT_CHARACTER`; `undefined` if no character does. */
const flagDenseCharacters = (word: string, characters: readonly string[]): boolean[] | undefined =>
  DENSE_SCRIPT_CHARACTER.test(word) ? characters.map((character) => DENSE_SCRIPT_CHARACTER.test(character)) : undefined

/** Returns the tokens under which the words of a text are indexed. The words and the returned tokens are separated by spaces. */
export function indexTokens(wordsText: string): string {
  const tokenSet = new Set<string>()
  for (const indexedWord of wordsText.split(' ')) {
    const wordCharacters = listTokenCharacters(indexedWord)
    const [firstCharacter, secondCharacter] = wordCharacters
    if (firstCharacter === undefined) continue
    const denseFlags = flagDenseCharacters(indexedWord, wordCharacters)
    if (!denseFlags?.[0]) tokenSet.add(PREFIX_MARK + firstCharacter)
    if (secondCharacter !== undefined && !denseFlags?.[0] && !denseFlags?.[1]) tokenSet.add(PREFIX_MARK + firstCharacter + secondCharacter)
    for (const [index, character] of wordCharacters.entries()) if (denseFlags?.[index]) tokenSet.add(character)
    for (const sequence of listIndexedSequences(wordCharacters, denseFlags)) tokenSet.add(sequence)
  }
  return [...tokenSet].join(' ')
}

/** Returns the index tokens that every text with `word` in it has. */
export function listWordTokens(word: string): string[] {
  const characters = listTokenCharacters(word)
  if (isPrefixWord(word)) return [PREFIX_MARK + word]
  return characters.length === 1 ? characters : [...new Set(listIndexedSequences(characters, flagDenseCharacters(word, characters)))]
}

/** Whether a text can have all `listWordTokens(word)` without containing the word, so that the text itself must be searched. */
export const needsTextCheck = (word: string): boolean => Array.from(word).length > (DENSE_SCRIPT_CHARACTER.test(word) ? 2 : 3)
