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

  it('positions: positions at the ends of a playlist stay short, wherever the slot of the page is', () => {
    for (const slotFraction of [0, 0.123, 0.5, 0.999]) {
      let [firstPosition, lastPosition] = createPositionsBetween(undefined, undefined, 2, slotFraction) ?? []
      for (let round = 0; round < 5000; round++) {
        firstPosition = createPositionsBetween(undefined, firstPosition, 1, slotFraction)?.[0]
        lastPosition = createPositionsBetween(lastPosition, undefined, 1, slotFraction)?.[0]
      }
      // A position whose last digits are zeros is shorter.
      expect(firstPosition?.length).toBeLessThanOrEqual(6)
      expect(lastPosition?.length).toBeLessThanOrEqual(6)
    }
  })

  it('positions: positions at the ends stay short if pages take turns in adding entries', () => {
    let [firstPosition, lastPosition] = createPositionsBetween(undefined, undefined, 2) ?? []
    const lengths = new Set<number>()
    for (let round = 0; round < 5000; round++) {
      const slotFraction = (round * 0.618) % 1
      firstPosition = createPositionsBetween(undefined, firstPosition, 1, slotFraction)?.[0]
      lastPosition = createPositionsBetween(lastPosition, undefined, 1, slotFraction)?.[0]
      for (const position of [firstPosition, lastPosition]) lengths.add(position?.length ?? 0)
    }
    expect(Math.max(...lengths)).toBe(6)
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

  it('positions: two devices that add entries at an end, one after another or several at once, do not mix them', () => {
    const anyCounts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 })
    const anyFractions = fc.tuple(fc.double({ min: 0, max: 0.45, noNaN: true }), fc.double({ min: 0.5, max: 0.95, noNaN: true }))
    fc.assert(
      fc.property(
        anyFractions,
        anyCounts,
        anyCounts,
        fc.integer({ min: 0, max: 5 }),
        fc.boolean(),
        (fractions, counts, otherCounts, oldCount, atEnd) => {
          // The first device has placed the entries that both have. Only a playlist that has entries has entries moved before them.
          const oldIds = Array.from({ length: atEnd ? oldCount : oldCount + 1 }, (_, n) => `old-${n}`)
          const entries = placeEntries([], 0, oldIds, fractions[0])
          const addEntries = (name: string, slotFraction: number, roundCounts: readonly number[]) => {
            let [deviceEntries, ids]: [PositionedEntry[], string[]] = [entries, []]
            for (const [round, count] of roundCounts.entries()) {
              const newIds = Array.from({ length: count }, (_, n) => `${(round * 7 + n * 3) % 10}-${name}-${round}-${n}`)
              deviceEntries = applyPlaces(
                deviceEntries,
                placeEntries(deviceEntries, atEnd ? deviceEntries.length : 0, newIds, slotFraction),
              )
              ids = atEnd ? [...ids, ...newIds] : [...newIds, ...ids]
            }
            return { deviceEntries, ids }
          }
          const [first, second] = [addEntries('A', fractions[0], counts), addEntries('B', fractions[1], otherCounts)]
          const mergedIds = applyPlaces(first.deviceEntries, second.deviceEntries).map(({ e }) => e)
          const blocks = [
            [...first.ids, ...second.ids],
            [...second.ids, ...first.ids],
          ]
          expect(blocks.map((ids) => (atEnd ? [...oldIds, ...ids] : [...ids, ...oldIds]))).toContainEqual(mergedIds)
        },
      ),
    )
  })

  it('positions: hundreds of entries can be placed at one place one after another', () => {
    let entries: PositionedEntry[] = placeEntries([], 0, ['first', 'last'])
    for (let round = 0; round < 800; round++) entries = applyPlaces(entries, placeEntries(entries, 1, [`entry-${round}`]))
    expect(entries.map(({ e }) => e)).toEqual(['first', ...Array.from({ length: 800 }, (_, n) => `entry-${799 - n}`), 'last'])
    expect(Math.max(...entries.map(({ position }) => position.length))).toBeLessThanOrEqual(ENTRY_POSITION_MAX_LENGTH)
  })
})
