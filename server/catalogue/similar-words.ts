import { foldText } from '../../contract/fold-text.ts'
import { toSearchTerm } from '../../contract/search-text.ts'

/** Words of at most this length must match without a mistake. */
const SHORT_WORD_MAX_LENGTH = 3

/**
 * Returns the searches that find texts in which one word of a folded search text is spelled differently. Each search replaces one word by
 * one of its halves, because a single mistake changes only one half of a word.
 */
export function searchesForMistypedText(foldedText: string): string[][] {
  const words = [...new Set(foldedText.split(' '))]
  return words.flatMap((word, index) => {
    const characters = Array.from(word)
    if (characters.length <= SHORT_WORD_MAX_LENGTH) return []
    const half = Math.ceil(characters.length / 2)
    return [characters.slice(0, half), characters.slice(half)].map((part) => words.with(index, part.join('')))
  })
}

/** Returns the smallest number of insertions, removals, replacements and swaps of neighbouring characters that change `a` to `b`. */
function editDistance(a: readonly string[], b: readonly string[]): number {
  let rowBeforeLast: number[] = []
  let lastRow = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, character] of a.entries()) {
    const currentRow = [i + 1]
    for (const [j, otherCharacter] of b.entries()) {
      const replaced = (lastRow[j] ?? 0) + (character === otherCharacter ? 0 : 1)
      const swapped = i > 0 && j > 0 && character === b[j - 1] && a[i - 1] === otherCharacter ? (rowBeforeLast[j - 1] ?? 0) + 1 : replaced
      currentRow.push(Math.min(replaced, swapped, (lastRow[j + 1] ?? 0) + 1, (currentRow[j] ?? 0) + 1))
    }
    rowBeforeLast = lastRow
    lastRow = currentRow
  }
  return lastRow.at(-1) ?? 0
}

/** Returns whether every word of a folded search text is in `text`, or is similar to a word of `text`. */
export function hasSimilarWords(foldedText: string, text: string): boolean {
  const words = foldText(text).split(' ')
  return foldedText.split(' ').every((word) => {
    if (` ${words.join(' ')}`.includes(toSearchTerm(word))) return true
    const characters = Array.from(word)
    if (characters.length <= SHORT_WORD_MAX_LENGTH) return false
    const mistakes = characters.length > 7 ? 2 : 1
    return words.some((otherWord) => {
      const otherCharacters = Array.from(otherWord)
      return Math.abs(otherCharacters.length - characters.length) <= mistakes && editDistance(characters, otherCharacters) <= mistakes
    })
  })
}
