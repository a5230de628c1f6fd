import { describe, expect, it } from 'vitest'
import { showcaseCardSize } from './showcase.ts'

const cellsPerSize = { small: 1, wide: 2, large: 4 }
const counts = Array.from({ length: 60 }, (_, index) => index + 7)

describe('showcase: sizes of the cards', () => {
  it.each(counts)('showcase: the last row of %i playlists has no gap', (playlistCount) => {
    const total = Array.from({ length: playlistCount }, (_, index) => cellsPerSize[showcaseCardSize(index, playlistCount)]).reduce(
      (sum, each) => sum + each,
      0,
    )
    expect(total % 4).toBe(0)
  })

  it('showcase: fewer than five playlists are all shown at the same size', () => {
    expect([0, 1, 2, 3].map((index) => showcaseCardSize(index, 4))).toEqual(['small', 'small', 'small', 'small'])
  })
})
