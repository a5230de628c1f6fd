import { ENTRY_POSITION_MAX_LENGTH } from '../../contract/own-playlist-rules.ts'

// A position is a fraction in base 62, whose digits are in the order of their code points, so that the order of positions as texts is the
// order of their values. Between two positions there is always a further one, which may be longer.

const BASE62_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = BigInt(BASE62_DIGITS.length)
/** The number of digits of a playlist's first positions. So many digits allow more than 100,000 blocks of entries before and after them. */
const MIN_POSITION_LENGTH = 7

// At an end of a playlist, the numbers of `MIN_POSITION_LENGTH` digits are divided into cells, in each of which every page has a slot of its own. The entries
// that a page appends one after another, or at once, are in one slot. So two devices that append entries without a connection do not mix them.
const CELL_LENGTH = BASE ** 4n
const SLOT_LENGTH = BASE ** 3n
/** Successive positions in a slot differ by this number, so that positions between them stay short. */
const POSITION_STEP = BASE

/** Where in each cell the slot of this page begins, as a fraction of the cell. */
const pageSlotFraction = Math.random()

const digitsToNumber = (positionText: string, digitCount: number): bigint => {
  let positionValue = 0n
  for (let index = 0; index < digitCount; index++)
    positionValue = positionValue * BASE + BigInt(Math.max(0, BASE62_DIGITS.indexOf(positionText[index] ?? '0')))
  return positionValue
}

/** Returns the fraction whose `digitCount` base-62 digits are those of `bigNumber`, as a text without zeros at the end. */
function numberToDigits(bigNumber: bigint, digitCount: number): string {
  let digitText = ''
  for (let rest = bigNumber, index = 0; index < digitCount; index++, rest /= BASE) {
    const digit = BASE62_DIGITS.charAt(Number(rest % BASE))
    if (digitText !== '' || digit !== '0') digitText = digit + digitText
  }
  return digitText
}

/** Returns `count` numbers of `digitCount` digits for entries after the last one, whose number is `lastNumber`. They may be too large if no room is left. */
function chooseSlotNumbers(lastNumber: bigint, count: number, digitCount: number, slotFraction: number): bigint[] {
  const scale = BASE ** BigInt(digitCount - MIN_POSITION_LENGTH)
  const step = POSITION_STEP * scale
  const cellLength = CELL_LENGTH * scale
  const slotOffset = BigInt(Math.floor(slotFraction * Number(CELL_LENGTH / POSITION_STEP))) * step
  const slotStart = lastNumber - (lastNumber % cellLength) + slotOffset
  const isInSlot = lastNumber >= slotStart && lastNumber < slotStart + SLOT_LENGTH * scale
  const nextSlotStart = lastNumber < slotStart ? slotStart : slotStart + cellLength
  const firstNumber = isInSlot ? lastNumber - (lastNumber % step) + step : nextSlotStart
  return Array.from({ length: count }, (_, index) => firstNumber + step * BigInt(index))
}

/**
 * Returns `newPositionCount` increasing positions after `positionBefore` and before `positionAfter`; `undefined` means the start or end of the playlist. Returns
 * `undefined` if there is no position of allowed length between them. Pages with different `slotFraction`s (from 0 up to 1) choose different positions at the start
 * and end.
 */
export function createPositionsBetween(
  positionBefore: string | undefined,
  positionAfter: string | undefined,
  newPositionCount: number,
  slotFraction = pageSlotFraction,
): string[] | undefined {
  for (let digitCount = MIN_POSITION_LENGTH; digitCount <= ENTRY_POSITION_MAX_LENGTH; digitCount++) {
    const endNumber = BASE ** BigInt(digitCount)
    // A longer `positionBefore` or `positionAfter` is cut to `digitCount` digits. A position of `digitCount` digits between the cut ones, equal to neither, is
    // between the uncut ones, too.
    let lowNumber = positionBefore === undefined ? 0n : digitsToNumber(positionBefore, digitCount)
    const highNumber = positionAfter === undefined ? endNumber : digitsToNumber(positionAfter, digitCount)
    if (positionBefore === undefined && positionAfter === undefined) lowNumber = endNumber / 2n
    if (positionBefore === undefined || positionAfter === undefined) {
      const isAtEnd = positionAfter === undefined
      // At the start of the playlist, the numbers are mirrored.
      const slotNumbers = chooseSlotNumbers(isAtEnd ? lowNumber : endNumber - highNumber, newPositionCount, digitCount, slotFraction)
      const numbers = isAtEnd ? slotNumbers : slotNumbers.map((mirrored) => endNumber - mirrored).reverse()
      if (numbers.every((each) => each > lowNumber && each < endNumber)) return numbers.map((each) => numberToDigits(each, digitCount))
    }
    const numberDistance = highNumber - lowNumber
    if (numberDistance > BigInt(newPositionCount))
      return Array.from({ length: newPositionCount }, (_, index) =>
        numberToDigits(lowNumber + (numberDistance * BigInt(index + 1)) / BigInt(newPositionCount + 1), digitCount),
      )
  }
  return undefined
}

/** An entry of a playlist with its position. */
export interface PositionedEntry {
  readonly e: string
  readonly position: string
}

/** The order of entries in a playlist: by position, at equal positions by id. */
export const compareEntries = (a: PositionedEntry, b: PositionedEntry): number =>
  a.position < b.position ? -1 : a.position > b.position ? 1 : a.e < b.e ? -1 : a.e > b.e ? 1 : 0

/**
 * Returns the positions that place new entries before `placedEntries[insertIndex]`, in the order of `newIds`. If two devices have given the
 * neighbouring entries the same position, or there is no position left, the result has new positions for some or all of `placedEntries`, too.
 */
export function placeEntries(
  placedEntries: readonly PositionedEntry[],
  insertIndex: number,
  newIds: readonly string[],
  slotFraction = pageSlotFraction,
): PositionedEntry[] {
  const positionBefore = placedEntries[insertIndex - 1]?.position
  let endIndex = insertIndex
  if (positionBefore !== undefined) while ((placedEntries[endIndex]?.position ?? '~') <= positionBefore) endIndex++
  const placedEntryIds = [...newIds, ...placedEntries.slice(insertIndex, endIndex).map(({ e }) => e)]
  const placedPositions = createPositionsBetween(positionBefore, placedEntries[endIndex]?.position, placedEntryIds.length, slotFraction)
  if (placedPositions) return placedEntryIds.map((e, at) => ({ e, position: placedPositions[at] ?? '' }))
  const allEntryIds = [
    ...placedEntries.slice(0, insertIndex).map(({ e }) => e),
    ...newIds,
    ...placedEntries.slice(insertIndex).map(({ e }) => e),
  ]
  // All devices choose the same positions, because two that number the playlist at the same time would mix its entries otherwise.
  const allPositions = createPositionsBetween(undefined, undefined, allEntryIds.length, 0) ?? []
  return allEntryIds.map((e, at) => ({ e, position: allPositions[at] ?? '' }))
}
