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
  /** The context's songs are asked for again, where it is the current one already: they may have changed. */
  anew?: boolean
}

/** The one player of a page. It knows no React; `bindings/player.tsx` connects it. */
export interface Player {
  getSnapshot(): PlayerState
  subscribe(listener: () => void): () => void
  /** Several times a second while a song plays, and after each seek. Gives the way to stop it. */
  onPosition(listener: (position: Position) => void): () => void
  position(): Position

  /** Plays a song of the catalogue. Where that song is current already, it plays on and only the context changes. */
  open(request: OpenRequest): void
  play(): void
  pause(): void
  toggle(): void
  seek(seconds: number): void
  next(): void
  previous(): void
  /** After `failed`: the same song again. */
  retry(): void

  setLoop(loop: Loop): void
  setShuffle(shuffle: boolean): void
  /** To be played right after the current song; repeated calls put the latest first. */
  playNext(song: Song): void
  /** To be played after what people have put into the queue before, ahead of the rest of the context. */
  enqueue(song: Song): void
  /** Plays `upcoming[index]` now; what stood before it is skipped. */
  playFromQueue(index: number): void
  moveInQueue(from: number, to: number): void
  removeFromQueue(index: number): void
  /** Nothing comes after the current song then, until another song is opened or queued. */
  clearQueue(): void
  setSleep(sleep: { minutes: number } | 'end-of-song' | 'off'): void
  setVolume(volume: number): void
  setMuted(muted: boolean): void

  /** The element that holds the video's frame for as long as the page lives; it must never be moved in the document. */
  attachStage(host: HTMLElement): void
  close(): void
}
