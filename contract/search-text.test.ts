import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldText } from './fold-text.ts'
import { foldWithSpellings, indexTokens, matchesTerms, toSearchableText, toSearchTerms, wordTokens } from './search-text.ts'

const anyCharacter = fc.constantFrom(...'abßÉ夜の東京ガﾊﾟー한글사น้ำใจмйёאבسلμς१ी ☆★!?-./\'’$"・🔥')
const anyText = fc.array(anyCharacter, { minLength: 1, maxLength: 24 }).map((characters) => characters.join(''))

it('search: if a search text matches a title, the title is indexed under all tokens of the search text', () => {
  fc.assert(
    fc.property(anyText, fc.nat(24), fc.integer({ min: 1, max: 4 }), (title, start, length) => {
      const { folded, spellings } = foldWithSpellings(title)
      const tokens = new Set(indexTokens(`${folded} ${spellings}`).split(' '))
      const text = foldText(
        Array.from(title)
          .slice(start, start + length)
          .join(''),
      )
      if (text === '' || !matchesTerms(toSearchableText(title), toSearchTerms(text))) return
      for (const word of text.split(' '))
        expect(
          wordTokens(word).filter((token) => !tokens.has(token)),
          word,
        ).toEqual([])
    }),
    { numRuns: 2_000 },
  )
})

it('search: in a script without spaces, any one or two successive characters of a title find the title', () => {
  const anyUnspacedText = fc.array(fc.constantFrom(...'夜の東京駅ガンダムー々한글사랑ไทยใจ'), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(anyUnspacedText, fc.nat(11), fc.integer({ min: 1, max: 2 }), (characters, start, length) => {
      const text = characters
        .slice(start % characters.length)
        .slice(0, length)
        .join('')
      expect(matchesTerms(toSearchableText(characters.join('')), toSearchTerms(foldText(text))), text).toBe(true)
    }),
  )
})

it('search: folding an already folded text changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(foldText(foldText(text))).toBe(foldText(text))
    }),
  )
})
