import { describe, expect, it } from 'vitest'
import { chooseCardSize } from './showcase.ts'

const gridCellsByCardSize = { small: 1, wide: 2, large: 4 }
const playlistCounts = Array.from({ length: 60 }, (_, index) => index + 7)

describe('showcase: sizes of the cards', () => {
  it.each(playlistCounts)('showcase: the last row of %i playlists has no gap', (playlistCount) => {
    const totalCells = Array.from(
      { length: playlistCount },
      (_, index) => gridCellsByCardSize[chooseCardSize(index, playlistCount)],
    ).reduce((sum, each) => sum + each, 0)
    expect(totalCells % 4).toBe(0)
  })

  it('showcase: fewer than five playlists are all shown at the same size', () => {
    expect([0, 1, 2, 3].map((index) => chooseCardSize(index, 4))).toEqual(['small', 'small', 'small', 'small'])
  })
})
