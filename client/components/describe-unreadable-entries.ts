import { formatCount } from '../ui/format.ts'

const SHOWN_POSITIONS_MAX = 20

interface UnreadableEntries {
  /** The positions in the file, from 1, of the entries that name no song. */
  readonly unreadablePositions: readonly number[]
  /** The unit in which positions are counted: lines of a table, or entries of a JSON list. */
  readonly unit: 'line' | 'entry'
}

/** Returns the sentence about the entries of a file that cannot be read, with the positions of the first ones. */
export function describeUnreadableEntries({ unreadablePositions, unit }: UnreadableEntries): string {
  const singularUnit = unit === 'line' ? 'line' : 'entry'
  const pluralUnit = unit === 'line' ? 'lines' : 'entries'
  const moreMark = unreadablePositions.length > SHOWN_POSITIONS_MAX ? ', ...' : ''
  const positionsText = unreadablePositions.slice(0, SHOWN_POSITIONS_MAX).join(', ') + moreMark
  return unreadablePositions.length === 1
    ? `1 ${singularUnit} cannot be read: ${positionsText}.`
    : `${formatCount(unreadablePositions.length)} ${pluralUnit} cannot be read: ${positionsText}.`
}
