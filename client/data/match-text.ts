import { matchesTerms, toSearchTerms } from '../../contract/search-text.ts'

/**
 * Returns up to `itemLimit` items that match `foldedText` by the rules of the server's search: first the items whose text begins with `foldedText`,
 * then the others, both groups sorted by text. `textOf` returns the text of an item as `toSearchableText` computes it.
 */
export function orderSuggestions<T>(items: Iterable<T>, textOf: (item: T) => string, foldedText: string, itemLimit: number): T[] {
  const terms = toSearchTerms(foldedText)
  const prefixedItems: T[] = []
  const otherItems: T[] = []
  for (const item of items) {
    const text = textOf(item)
    if (text.startsWith(foldedText, 1)) prefixedItems.push(item)
    else if (matchesTerms(text, terms)) otherItems.push(item)
  }
  const compareTexts = (a: T, b: T) => (textOf(a) < textOf(b) ? -1 : 1)
  const shown = prefixedItems.sort(compareTexts).slice(0, itemLimit)
  return shown.length === itemLimit ? shown : shown.concat(otherItems.sort(compareTexts).slice(0, itemLimit - shown.length))
}
