import { foldText } from '../../contract/fold-text.ts'
import { toSearchTerm } from '../../contract/search-text.ts'

/** A word of this length or less is not searched in parts. */
const SHORT_WORD = 3

/**
 * Returns searches that find texts which differ from a folded search text by a mistake in one word: in each, one word is replaced by one of its
 * halves, of which a single mistake leaves one as it is.
 */
export function searchesWithMistake(folded: string): string[][] {
  const words = [...new Set(folded.split(' '))]
  return words.flatMap((word, index) => {
    const characters = Array.from(word)
    if (characters.length <= SHORT_WORD) return []
    const half = Math.ceil(characters.length / 2)
    return [characters.slice(0, half), characters.slice(half)].map((part) => words.with(index, part.join('')))
  })
}

/** Returns the number of characters to insert, remove, replace or swap with the next one, so that `a` becomes `b`. */
function editDistance(a: readonly string[], b: readonly string[]): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, character] of a.entries()) {
    const current = [i + 1]
    for (const [j, other] of b.entries()) {
      const replaced = (last[j] ?? 0) + (character === other ? 0 : 1)
      const swapped = i > 0 && j > 0 && character === b[j - 1] && a[i - 1] === other ? (beforeLast[j - 1] ?? 0) + 1 : replaced
      current.push(Math.min(replaced, swapped, (last[j + 1] ?? 0) + 1, (current[j] ?? 0) + 1))
    }
    beforeLast = last
    last = current
  }
  return last.at(-1) ?? 0
}

/** Returns whether every word of a folded search text is in `text`, or is a mistyped word of it. */
export function isSimilar(folded: string, text: string): boolean {
  const words = foldText(text).split(' ')
  return folded.split(' ').every((word) => {
    if (` ${words.join(' ')}`.includes(toSearchTerm(word))) return true
    const characters = Array.from(word)
    if (characters.length <= SHORT_WORD) return false
    const mistakes = characters.length > 7 ? 2 : 1
    return words.some((other) => {
      const otherCharacters = Array.from(other)
      return Math.abs(otherCharacters.length - characters.length) <= mistakes && editDistance(characters, otherCharacters) <= mistakes
    })
  })
}
