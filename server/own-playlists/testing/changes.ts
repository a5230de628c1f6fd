import { randomUUID } from 'node:crypto'
import type { OwnPlaylistChange, OwnPlaylistEntryChange } from '../../../contract/own-playlist.ts'
import { formatSongId } from '../../storage/testing/fixture.ts'

export const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
export const [DEVICE_A, DEVICE_B] = ['aaaaaaaa-0000-4000-8000-000000000000', 'bbbbbbbb-0000-4000-8000-000000000000'] as const

/** Returns the id of playlist `n`. */
export const createPlaylistId = (n: number) => `11111111-0000-4000-8000-${String(n).padStart(12, '0')}`
/** Returns the id of entry `n`. */
export const createEntryId = (n: number) => `22222222-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Returns a position in the playlist that precedes the positions of greater numbers. */
export const createPosition = (n: number) => `a${String(n).padStart(6, '0')}`

export const formatIsoTime = (ms: number) => new Date(ms).toISOString()

/** A change of playlist 1 that device A makes now. */
export const createPlaylistChange = (changeFields: Partial<OwnPlaylistChange> = {}): OwnPlaylistChange => ({
  id: randomUUID(),
  l: createPlaylistId(1),
  at: formatIsoTime(NOW_MS),
  device: DEVICE_A,
  ...changeFields,
})

/** Adds song `entryNumber` as entry `entryNumber` at position `entryNumber`. */
export const createEntryAddition = (entryNumber: number, entryFields: Partial<OwnPlaylistEntryChange> = {}): OwnPlaylistEntryChange => ({
  e: createEntryId(entryNumber),
  s: formatSongId(entryNumber),
  position: createPosition(entryNumber),
  ...entryFields,
})
