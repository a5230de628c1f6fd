import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ENTRY_POSITION_MAX_LENGTH } from '../../contract/own-playlist-rules.ts'
import { compareEntries, createPositionsBetween, type PositionedEntry, placeEntries } from './entry-positions.ts'

const anyPosition = fc.stringMatching(/^[0-9A-Za-z]{1,12}$/)

describe('createPositionsBetween', () => {
  it('positions: new positions are increasing texts between their neighbours, and never too long', () => {
    fc.assert(
      fc.property(
        fc.option(anyPosition),
        fc.option(anyPosition),
        fc.integer({ min: 0, max: 40 }),
        (firstPosition, secondPosition, newCount) => {
          const [lowerPosition, upperPosition] =
            firstPosition !== null && secondPosition !== null && firstPosition > secondPosition
              ? [secondPosition, firstPosition]
              : [firstPosition, secondPosition]
          const newPositions = createPositionsBetween(lowerPosition ?? undefined, upperPosition ?? undefined, newCount)
          if (newPositions === undefined) return
          const allPositions = [
            ...(lowerPosition === null ? [] : [lowerPosition]),
            ...newPositions,
            ...(upperPosition === null ? [] : [upperPosition]),
          ]
          for (const [index, position] of allPositions.entries())
            if (index > 0) expect(position > (allPositions[index - 1] ?? '')).toBe(true)
          for (const position of newPositions) expect(position).toMatch(/^[0-9A-Za-z]{1,100}$/)
        },
      ),
    )
  })

  it('positions: there is no position between equal positions, or between positions that differ only by zeros at the end', () => {
    expect(createPositionsBetween('V', 'V', 1)).toBeUndefined()
    expect(createPositionsBetween('V', 'V00', 1)).toBeUndefined()
    expect(createPositionsBetween(undefined, '0', 1)).toBeUndefined()
  })

  it('positions: positions at the ends of a playlist stay short', () => {
    let [firstPosition, lastPosition] = createPositionsBetween(undefined, undefined, 2) ?? []
    for (let round = 0; round < 5000; round++) {
      firstPosition = createPositionsBetween(undefined, firstPosition, 1)?.[0]
      lastPosition = createPositionsBetween(lastPosition, undefined, 1)?.[0]
    }
    expect([firstPosition?.length, lastPosition?.length]).toEqual([4, 4])
  })
})

describe('placeEntries', () => {
  const applyPlaces = (placedEntries: readonly PositionedEntry[], newPlaces: readonly PositionedEntry[]) => {
    const byId = new Map([...placedEntries, ...newPlaces].map((entry) => [entry.e, entry]))
    return [...byId.values()].sort(compareEntries)
  }

  it('positions: entries are sorted to the place at which they were inserted, also among equal positions', () => {
    const anyEntries = fc.array(fc.constantFrom('A', 'A1', 'B', 'zzzzzz', '000001'), { maxLength: 8 })
    fc.assert(
      fc.property(anyEntries, fc.nat(8), fc.integer({ min: 1, max: 4 }), (positionTexts, insertIndex, newCount) => {
        const placedEntries = positionTexts.map((position, index) => ({ e: `old-${index}`, position })).sort(compareEntries)
        const index = insertIndex % (placedEntries.length + 1)
        const newIds = Array.from({ length: newCount }, (_, n) => `new-${newCount - n}`)
        const ids = applyPlaces(placedEntries, placeEntries(placedEntries, index, newIds)).map(({ e }) => e)
        expect(ids).toEqual(placedEntries.map(({ e }) => e).toSpliced(index, 0, ...newIds))
      }),
    )
  })

  it('positions: hundreds of entries can be placed at one place one after another', () => {
    let entries: PositionedEntry[] = placeEntries([], 0, ['first', 'last'])
    for (let round = 0; round < 800; round++) entries = applyPlaces(entries, placeEntries(entries, 1, [`entry-${round}`]))
    expect(entries.map(({ e }) => e)).toEqual(['first', ...Array.from({ length: 800 }, (_, n) => `entry-${799 - n}`), 'last'])
    expect(Math.max(...entries.map(({ position }) => position.length))).toBeLessThanOrEqual(ENTRY_POSITION_MAX_LENGTH)
  })
})
