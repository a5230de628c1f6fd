import { matchesTerms, toSearchTerms } from '../../contract/search-text.ts'

/**
 * Returns up to `limit` items that match `folded` by the rules of the server's search: first the items whose text begins with `folded`,
 * then the others, both groups sorted by text. `textOf` returns the text of an item as `toSearchableText` computes it.
 */
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
