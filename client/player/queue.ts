import type { Song } from '../../contract/song.ts'

export type Loop = boolean

/** Off, at a time of the wall clock, or when the current song has ended. */
export type Sleep = { kind: 'off' } | { kind: 'at'; atMs: number; minutes: number } | { kind: 'end-of-song' }

export interface QueueEntry {
  /** Names this entry for as long as it stands in the queue; the same song may stand in it twice. */
  key: number
  song: Song
  /** Put there by a person, not by the context. */
  queued: boolean
}
