/*
 * Tokens of the SQLite full-text index for folded text (`foldText`). Words of three letters or more are indexed by their trigrams and match anywhere
 * in a text; shorter words are indexed as prefixes and match at the start of words. All tokens of a query must match. A word of more than three
 * letters is then compared with the text itself, because its trigrams may occur apart from each other.
 */
const PREFIX_MARK = '_'

const charactersOf = (word: string): string[] => Array.from(word)

function trigramsOf(chars: readonly string[]): string[] {
  const trigrams: string[] = []
  for (let i = 0; i + 3 <= chars.length; i++) trigrams.push(`${chars[i]}${chars[i + 1]}${chars[i + 2]}`)
  return trigrams
}

/** Returns the index tokens of a folded text, separated by spaces. */
export function indexTokens(foldedText: string): string {
  const tokens = new Set<string>()
  for (const word of foldedText.split(' ')) {
    const chars = charactersOf(word)
    const [firstCharacter, secondCharacter] = chars
    if (firstCharacter === undefined) continue
    tokens.add(PREFIX_MARK + firstCharacter)
    if (secondCharacter !== undefined) tokens.add(PREFIX_MARK + firstCharacter + secondCharacter)
    for (const trigram of trigramsOf(chars)) tokens.add(trigram)
  }
  return [...tokens].join(' ')
}

/** Returns the tokens that every text containing `word` has. */
export function wordTokens(word: string): string[] {
  const chars = charactersOf(word)
  return chars.length < 3 ? [PREFIX_MARK + word] : [...new Set(trigramsOf(chars))]
}

/** Returns true if a text can have all `wordTokens(word)` without containing the word. */
export const needsTextCheck = (word: string): boolean => charactersOf(word).length > 3
