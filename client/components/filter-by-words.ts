import { foldText } from '../../contract/fold-text.ts'

/**
 * Returns the items whose text contains every word of `filterText`, in any order; all items if it has no words. `textOf` returns the text of an item as
 * `toSearchableText` computes it.
 */
export function filterByWords<T>(items: readonly T[], filterText: string, textOf: (item: T) => string): readonly T[] {
  const words = foldText(filterText).split(' ').filter(Boolean)
  return words.length === 0 ? items : items.filter((item) => words.every((word) => textOf(item).includes(word)))
}
