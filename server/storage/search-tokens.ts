/*
 * What the SQLite search index holds of a folded text. A word of three letters or more is found anywhere in a text by its runs
 * of three; a shorter one at the start of words, by tokens of their own. The tokens of a query narrow the songs down; a
 * word longer than three letters is then looked for in the text itself, since its runs may stand apart.
 */
const START = '_'

const letters = (word: string): string[] => Array.from(word)

function runsOfThree(chars: readonly string[]): string[] {
  const runs: string[] = []
  for (let i = 0; i + 3 <= chars.length; i++) runs.push(`${chars[i]}${chars[i + 1]}${chars[i + 2]}`)
  return runs
}

/** The tokens of `folded` (see `foldText`), parted by spaces. */
export function indexTokens(folded: string): string {
  const tokens = new Set<string>()
  for (const word of folded.split(' ')) {
    const chars = letters(word)
    const [first, second] = chars
    if (first === undefined) continue
    tokens.add(START + first)
    if (second !== undefined) tokens.add(START + first + second)
    for (const run of runsOfThree(chars)) tokens.add(run)
  }
  return [...tokens].join(' ')
}

/** The tokens that a text with `word` in it is sure to have. */
export function wordTokens(word: string): string[] {
  const chars = letters(word)
  return chars.length < 3 ? [START + word] : [...new Set(runsOfThree(chars))]
}

/** Whether a text that has `wordTokens(word)` may still lack the word. */
export const needsCheck = (word: string): boolean => letters(word).length > 3
