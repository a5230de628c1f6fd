import { ENTRY_POSITION_MAX_LENGTH } from '../../contract/own-playlist-rules.ts'

// A position is a fraction in base 62, whose digits are in the order of their code points, so that the order of positions as texts is the
// order of their values. Between two positions there is always a further one, which may be longer.

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = BigInt(DIGITS.length)
/** The number of digits of a playlist's first positions. So many digits allow billions of insertions before and after them. */
const MIN_LENGTH = 6
/** Successive positions at an end of the playlist differ by 62 to the power of this number, so that positions between them stay short. */
const STEP_DIGITS = 2

const digitsToNumber = (positionText: string, length: number): bigint => {
  let value = 0n
  for (let index = 0; index < length; index++) value = value * BASE + BigInt(Math.max(0, DIGITS.indexOf(positionText[index] ?? '0')))
  return value
}

/** Returns the digits of a fraction without zeros at the end. */
function numberToDigits(value: bigint, length: number): string {
  let digits = ''
  for (let rest = value, index = 0; index < length; index++, rest /= BASE) {
    const digit = DIGITS.charAt(Number(rest % BASE))
    if (digits !== '' || digit !== '0') digits = digit + digits
  }
  return digits
}

/**
 * Returns `newCount` increasing positions after `positionBefore` and before `positionAfter`; `undefined` means the start or end of the playlist. Returns `undefined` if
 * there is no position of allowed length between them.
 */
export function positionsBetween(
  positionBefore: string | undefined,
  positionAfter: string | undefined,
  newCount: number,
): string[] | undefined {
  for (let length = MIN_LENGTH; length <= ENTRY_POSITION_MAX_LENGTH; length++) {
    const end = BASE ** BigInt(length)
    const maxDistance = BASE ** BigInt(length - MIN_LENGTH + STEP_DIGITS) * BigInt(newCount + 1)
    // A longer `positionBefore` or `positionAfter` is cut to `length` digits. A position of `length` digits between the cut ones, equal to neither, is
    // between the uncut ones, too.
    let lowNumber = positionBefore === undefined ? 0n : digitsToNumber(positionBefore, length)
    let highNumber = positionAfter === undefined ? end : digitsToNumber(positionAfter, length)
    if (positionBefore === undefined && positionAfter === undefined) lowNumber = end / 2n
    if (positionAfter === undefined && highNumber - lowNumber > maxDistance) highNumber = lowNumber + maxDistance
    else if (positionBefore === undefined && highNumber - lowNumber > maxDistance) lowNumber = highNumber - maxDistance
    const distance = highNumber - lowNumber
    if (distance > BigInt(newCount))
      return Array.from({ length: newCount }, (_, index) =>
        numberToDigits(lowNumber + (distance * BigInt(index + 1)) / BigInt(newCount + 1), length),
      )
  }
  return undefined
}

/** An entry of a playlist with its position. */
export interface PlacedEntry {
  readonly e: string
  readonly position: string
}

/** The order of entries in a playlist: by position, at equal positions by id. */
export const compareEntries = (a: PlacedEntry, b: PlacedEntry): number =>
  a.position < b.position ? -1 : a.position > b.position ? 1 : a.e < b.e ? -1 : a.e > b.e ? 1 : 0

/**
 * Returns the positions that place new entries before `entries[index]`, in the order of `newIds`. If two devices have given the
 * neighbouring entries the same position, or there is no position left, the result has new positions for some or all of `entries`, too.
 */
export function placeEntries(entries: readonly PlacedEntry[], index: number, newIds: readonly string[]): PlacedEntry[] {
  const positionBefore = entries[index - 1]?.position
  let endIndex = index
  if (positionBefore !== undefined) while ((entries[endIndex]?.position ?? '~') <= positionBefore) endIndex++
  const placedIds = [...newIds, ...entries.slice(index, endIndex).map(({ e }) => e)]
  const placedPositions = positionsBetween(positionBefore, entries[endIndex]?.position, placedIds.length)
  if (placedPositions) return placedIds.map((e, at) => ({ e, position: placedPositions[at] ?? '' }))
  const allIds = [...entries.slice(0, index).map(({ e }) => e), ...newIds, ...entries.slice(index).map(({ e }) => e)]
  const allPositions = positionsBetween(undefined, undefined, allIds.length) ?? []
  return allIds.map((e, at) => ({ e, position: allPositions[at] ?? '' }))
}
