import { expect, it } from 'vitest'
import { findContactProblems } from './contact-rules.ts'
import { isYouTubeUrl } from './form-rules.ts'
import { hasHiddenCharacters, hasHiddenCharactersInMultilineText } from './text.ts'

const HIDDEN_CHARACTERS = ['\u202E', '\u2066', '\u200B', '\u200D', '\uFEFF', '\u0007', '\uE000']

it('promotions and contact requests refuse addresses and names with invisible characters', () => {
  const request = { topic: 'other', email: 'a@example.com', discord: 'ann', youtube_url: 'https://youtu.be/a', message: 'Hi' } as const
  expect(findContactProblems(request)).toEqual({})
  for (const character of HIDDEN_CHARACTERS) {
    expect(isYouTubeUrl(`https://youtu.be/${character}x`)).toBe(false)
    expect(findContactProblems({ ...request, youtube_url: `https://youtu.be/${character}x` })).toEqual({ youtube_url: 'invalid' })
    if (character !== '\u200D') expect(findContactProblems({ ...request, discord: `a${character}n` })).toEqual({ discord: 'invalid' })
  }
})

it.each(['🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}', '👩‍🚀', '❤️', 'می‌خواهم', 'ᠠ᠋', '\u{1FADF}', '\u{1FBFE}'])(
  'texts may contain %j: emoji, joiners, and characters that a later version of Unicode may assign',
  (anyText) => {
    expect(hasHiddenCharacters(`a ${anyText} b`)).toBe(false)
    expect(hasHiddenCharactersInMultilineText(`\u200Fa\n${anyText}`)).toBe(false)
  },
)

it.each(['\u3164', '\u115F', '\uFFA0', '\u2800', '\u034F', '\u00AD', '\u{E0067}', '\u{E0100}', '\uDC00', '\u202E'])(
  'texts may not contain the invisible character %j',
  (hiddenCharacter) => {
    expect(hasHiddenCharacters(hiddenCharacter)).toBe(true)
    expect(hasHiddenCharactersInMultilineText(`a\n${hiddenCharacter}`)).toBe(true)
  },
)
