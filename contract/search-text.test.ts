import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldText } from './fold-text.ts'
import { foldWithSpellings, indexTokens, listWordTokens, matchesTerms, toSearchableText, toSearchTerms } from './search-text.ts'

const anyCharacter = fc.constantFrom(...'abßÉ夜の東京ガﾊﾟー한글사น้ำใจмйёאבسلμς१ी ☆★!?-./\'’$"・🔥')
const anyText = fc.array(anyCharacter, { minLength: 1, maxLength: 24 }).map((characters) => characters.join(''))

it('search: if a search text matches a title, the title is indexed under all tokens of the search text', () => {
  fc.assert(
    fc.property(anyText, fc.nat(24), fc.integer({ min: 1, max: 4 }), (songTitle, startIndex, excerptLength) => {
      const { folded, spellings } = foldWithSpellings(songTitle)
      const tokenSet = new Set(indexTokens(`${folded} ${spellings}`).split(' '))
      const foldedText = foldText(
        Array.from(songTitle)
          .slice(startIndex, startIndex + excerptLength)
          .join(''),
      )
      if (foldedText === '' || !matchesTerms(toSearchableText(songTitle), toSearchTerms(foldedText))) return
      for (const foldedWord of foldedText.split(' '))
        expect(
          listWordTokens(foldedWord).filter((token) => !tokenSet.has(token)),
          foldedWord,
        ).toEqual([])
    }),
    { numRuns: 2_000 },
  )
})

it('search: in a script without spaces, any one or two successive characters of a title find the title', () => {
  const anyUnspacedText = fc.array(fc.constantFrom(...'夜の東京駅ガンダムー々한글사랑ไทยใจ'), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(anyUnspacedText, fc.nat(11), fc.integer({ min: 1, max: 2 }), (titleCharacters, startIndex, excerptLength) => {
      const joinedText = titleCharacters
        .slice(startIndex % titleCharacters.length)
        .slice(0, excerptLength)
        .join('')
      expect(matchesTerms(toSearchableText(titleCharacters.join('')), toSearchTerms(foldText(joinedText))), joinedText).toBe(true)
    }),
  )
})

it('search: folding an already folded text changes nothing', () => {
  for (let code = 0; code < 0xd800; code++) {
    const folded = foldText(`a${String.fromCharCode(code)}b`)
    if (foldText(folded) !== folded) expect.fail(`U+${code.toString(16)}`)
  }
  expect([foldText('ŉ'), foldText('｀')]).toEqual(['n', "'"])
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(foldText(foldText(text))).toBe(foldText(text))
    }),
  )
})
