import type { Song, SongDetail } from '../../contract/song.ts'
import type { Loop, QueueEntry, Sleep } from './queue.ts'

/**
 * `idle`: nothing was opened. `loading`: a song or its video is on its way. `blocked`: the browser wants a press on play
 * first. `unplayable`: the video cannot play, and is skipped in a moment. `failed`: see `error`; `retry()` tries again.
 */
export type PlayerStatus = 'idle' | 'loading' | 'playing' | 'paused' | 'blocked' | 'unplayable' | 'failed'

export type PlayerError =
  /** The catalogue has no such song. */
  | { kind: 'not-found' }
  /** The song, the video platform or a random song could not be reached. */
  | { kind: 'network'; message: string }
  /** The video platform's error code; `skipped` where the next song follows by itself. */
  | { kind: 'unplayable'; code: number; skipped: boolean }

/** What changes slowly. A new object for each change; parts that did not change stay the same objects. */
export interface PlayerState {
  status: PlayerStatus
  /** The song that was asked for or is current: what a page's address should name. Set at once by `open`. */
  songId: string | undefined
  /** The current song, as soon as its row is known. */
  current: Song | undefined
  /** The current song with its place in the context, as soon as it is known. */
  detail: SongDetail | undefined
  /** The playlist, category or 'favorite' that was asked for; `undefined` where the song's category is the context. */
  contextId: string | undefined
  contextTitle: string
  /** What comes next, in order: the entries that people put there, and the rest of the context unless shuffle is on. */
  upcoming: readonly QueueEntry[]
  canNext: boolean
  canPrevious: boolean
  loop: Loop
  shuffle: boolean
  sleep: Sleep
  /** 0 to 1. */
  volume: number
  muted: boolean
  /** Seconds; 0 where it is not known. */
  durationSeconds: number
  /** The video's frame exists: the platform's script was loaded in this page. */
  hasFrame: boolean
  error: PlayerError | undefined
}

export interface Position {
  positionSeconds: number
  /** 0 where it is not known. */
  durationSeconds: number
}

export interface OpenRequest {
  /** A video id. */
  songId: string
  contextId?: string | undefined
  shuffle?: boolean
}
