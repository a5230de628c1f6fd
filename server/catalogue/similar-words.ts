import { foldText } from '../../contract/fold-text.ts'
import { toSearchTerm } from '../../contract/search-text.ts'

/** Words of at most this length must match without a mistake. */
const SHORT_WORD_MAX_LENGTH = 3

/**
 * Returns the searches that find texts in which one word of a folded search text is spelled differently. Each search replaces one word by
 * one of its halves, because a single mistake changes only one half of a word.
 */
export function listMistypedTextSearches(foldedText: string): string[][] {
  const searchWords = [...new Set(foldedText.split(' '))]
  return searchWords.flatMap((searchWord, index) => {
    const wordCharacters = Array.from(searchWord)
    if (wordCharacters.length <= SHORT_WORD_MAX_LENGTH) return []
    const half = Math.ceil(wordCharacters.length / 2)
    return [wordCharacters.slice(0, half), wordCharacters.slice(half)].map((part) => searchWords.with(index, part.join('')))
  })
}

/** Returns the smallest number of insertions, removals, replacements and swaps of neighbouring characters that change `firstWord` to `secondWord`. */
function computeEditDistance(firstWord: readonly string[], secondWord: readonly string[]): number {
  let distanceRowTwoAbove: number[] = []
  let distanceRowAbove = Array.from({ length: secondWord.length + 1 }, (_, i) => i)
  for (const [rowIndex, firstCharacter] of firstWord.entries()) {
    const currentRow = [rowIndex + 1]
    for (const [columnIndex, otherCharacter] of secondWord.entries()) {
      const replacementCost = (distanceRowAbove[columnIndex] ?? 0) + (firstCharacter === otherCharacter ? 0 : 1)
      const swapCost =
        rowIndex > 0 && columnIndex > 0 && firstCharacter === secondWord[columnIndex - 1] && firstWord[rowIndex - 1] === otherCharacter
          ? (distanceRowTwoAbove[columnIndex - 1] ?? 0) + 1
          : replacementCost
      currentRow.push(Math.min(replacementCost, swapCost, (distanceRowAbove[columnIndex + 1] ?? 0) + 1, (currentRow[columnIndex] ?? 0) + 1))
    }
    distanceRowTwoAbove = distanceRowAbove
    distanceRowAbove = currentRow
  }
  return distanceRowAbove.at(-1) ?? 0
}

/** Returns whether every word of a folded search text is in `rowText`, or is similar to a word of `rowText`. */
export function hasSimilarWords(foldedText: string, rowText: string): boolean {
  const textWords = foldText(rowText).split(' ')
  return foldedText.split(' ').every((searchWord) => {
    if (` ${textWords.join(' ')}`.includes(toSearchTerm(searchWord))) return true
    const wordCharacters = Array.from(searchWord)
    if (wordCharacters.length <= SHORT_WORD_MAX_LENGTH) return false
    const mistakesMax = wordCharacters.length > 7 ? 2 : 1
    return textWords.some((otherWord) => {
      const otherCharacters = Array.from(otherWord)
      return (
        Math.abs(otherCharacters.length - wordCharacters.length) <= mistakesMax &&
        computeEditDistance(wordCharacters, otherCharacters) <= mistakesMax
      )
    })
  })
}
