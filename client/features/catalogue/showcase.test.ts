import { describe, expect, it } from 'vitest'
import { showcaseSize } from './showcase.ts'

const cells = { small: 1, wide: 2, large: 4 }
const counts = Array.from({ length: 60 }, (_, index) => index + 7)

describe('the showcase grid', () => {
  it.each(counts)('fills its last row with %i playlists', (count) => {
    const total = Array.from({ length: count }, (_, index) => cells[showcaseSize(index, count)]).reduce((sum, each) => sum + each, 0)
    expect(total % 4).toBe(0)
  })

  it('gives a handful of playlists one size', () => {
    expect([0, 1, 2, 3].map((index) => showcaseSize(index, 4))).toEqual(['small', 'small', 'small', 'small'])
  })
})
