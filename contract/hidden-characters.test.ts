import { expect, it } from 'vitest'
import { contactProblems } from './contact-rules.ts'
import { isYouTubeUrl } from './promotion-rules.ts'

const HIDDEN = ['\u202E', '\u2066', '\u200B', '\u200D', '\uFEFF', '\u0007', '\uE000']

it('addresses and names with invisible characters are refused in promotions and contact requests', () => {
  const request = { topic: 'other', email: 'a@example.com', discord: 'ann', youtube_url: 'https://youtu.be/a', message: 'Hi' } as const
  expect(contactProblems(request)).toEqual({})
  for (const character of HIDDEN) {
    expect(isYouTubeUrl(`https://youtu.be/${character}x`)).toBe(false)
    expect(contactProblems({ ...request, youtube_url: `https://youtu.be/${character}x` })).toEqual({ youtube_url: 'invalid' })
    if (character !== '\u200D') expect(contactProblems({ ...request, discord: `a${character}n` })).toEqual({ discord: 'invalid' })
  }
})
