/*
 * The rules of the server's search, for folded texts (`foldText`) in memory. A searched text has a space before every word, so that a term can
 * match the start of a word.
 */

/** Returns the substrings to search for, one per word: words of one or two letters match only the start of a word. */
export const toSearchTerms = (folded: string): string[] =>
  [...new Set(folded.split(' '))].map((word) => (Array.from(word).length < 3 ? ` ${word}` : word))

export const matchesTerms = (searchedText: string, terms: readonly string[]): boolean => terms.every((term) => searchedText.includes(term))

/** Returns up to `limit` items that match: those whose text begins with `folded` first, then the others, each in order of text. */
export function orderSuggestions<T>(items: Iterable<T>, textOf: (item: T) => string, folded: string, limit: number): T[] {
  const terms = toSearchTerms(folded)
  const prefixed: T[] = []
  const others: T[] = []
  for (const item of items) {
    const text = textOf(item)
    if (text.startsWith(folded, 1)) prefixed.push(item)
    else if (matchesTerms(text, terms)) others.push(item)
  }
  const byText = (a: T, b: T) => (textOf(a) < textOf(b) ? -1 : 1)
  const shown = prefixed.sort(byText).slice(0, limit)
  return shown.length === limit ? shown : shown.concat(others.sort(byText).slice(0, limit - shown.length))
}
