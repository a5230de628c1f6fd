import { ENTRY_POSITION_MAX_LENGTH } from '../../contract/own-playlist-rules.ts'

// A position is a fraction in base 62, whose digits are in the order of their code points, so that the order of positions as texts is the
// order of their values. Between two positions there is always a further one, which may be longer.

const BASE62_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = BigInt(BASE62_DIGITS.length)
/** The number of digits of a playlist's first positions. So many digits allow billions of insertions before and after them. */
const MIN_POSITION_LENGTH = 6
/** Successive positions at an end of the playlist differ by 62 to the power of this number, so that positions between them stay short. */
const POSITION_STEP_DIGITS = 2

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

/**
 * Returns `newPositionCount` increasing positions after `positionBefore` and before `positionAfter`; `undefined` means the start or end of the playlist. Returns `undefined` if
 * there is no position of allowed length between them.
 */
export function createPositionsBetween(
  positionBefore: string | undefined,
  positionAfter: string | undefined,
  newPositionCount: number,
): string[] | undefined {
  for (let digitCount = MIN_POSITION_LENGTH; digitCount <= ENTRY_POSITION_MAX_LENGTH; digitCount++) {
    const endNumber = BASE ** BigInt(digitCount)
    const maxDistance = BASE ** BigInt(digitCount - MIN_POSITION_LENGTH + POSITION_STEP_DIGITS) * BigInt(newPositionCount + 1)
    // A longer `positionBefore` or `positionAfter` is cut to `digitCount` digits. A position of `digitCount` digits between the cut ones, equal to neither, is
    // between the uncut ones, too.
    let lowNumber = positionBefore === undefined ? 0n : digitsToNumber(positionBefore, digitCount)
    let highNumber = positionAfter === undefined ? endNumber : digitsToNumber(positionAfter, digitCount)
    if (positionBefore === undefined && positionAfter === undefined) lowNumber = endNumber / 2n
    if (positionAfter === undefined && highNumber - lowNumber > maxDistance) highNumber = lowNumber + maxDistance
    else if (positionBefore === undefined && highNumber - lowNumber > maxDistance) lowNumber = highNumber - maxDistance
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
export function placeEntries(placedEntries: readonly PositionedEntry[], insertIndex: number, newIds: readonly string[]): PositionedEntry[] {
  const positionBefore = placedEntries[insertIndex - 1]?.position
  let endIndex = insertIndex
  if (positionBefore !== undefined) while ((placedEntries[endIndex]?.position ?? '~') <= positionBefore) endIndex++
  const placedEntryIds = [...newIds, ...placedEntries.slice(insertIndex, endIndex).map(({ e }) => e)]
  const placedPositions = createPositionsBetween(positionBefore, placedEntries[endIndex]?.position, placedEntryIds.length)
  if (placedPositions) return placedEntryIds.map((e, at) => ({ e, position: placedPositions[at] ?? '' }))
  const allEntryIds = [
    ...placedEntries.slice(0, insertIndex).map(({ e }) => e),
    ...newIds,
    ...placedEntries.slice(insertIndex).map(({ e }) => e),
  ]
  const allPositions = createPositionsBetween(undefined, undefined, allEntryIds.length) ?? []
  return allEntryIds.map((e, at) => ({ e, position: allPositions[at] ?? '' }))
}
