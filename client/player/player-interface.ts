import type { Song, SongDetail } from '../../contract/song.ts'
import type { LoopSetting, PlayedSong, QueueEntry, QueueStep, SleepSetting } from './queue.ts'

/**
 * `idle`: no song was opened. `loading`: a song or its video is being loaded. `blocked`: the browser requires a user gesture before playback.
 * `unplayable`: the video cannot be played; see `error`. `failed`: see `error`; `retry()` loads the song again.
 */
export type PlayerStatus = 'idle' | 'loading' | 'playing' | 'paused' | 'blocked' | 'unplayable' | 'failed'

export type PlayerError =
  | { kind: 'not-found' }
  /** The song, the video or a random song could not be loaded. `wasPaused`: the person had paused the player by then. */
  | { kind: 'network'; message: string; wasPaused?: boolean }
  /** `code` is the video platform's error code. `skipped`: the next song starts automatically. */
  | { kind: 'unplayable'; code: number; skipped: boolean }

/** The player's state except the position. Each change creates a new object that shares the unchanged members. */
export interface PlayerState {
  status: PlayerStatus
  /** The id of the requested or current song, for the page's address. `open` sets the id immediately. */
  songId: string | undefined
  /** The current song; undefined until its row is loaded. */
  current: PlayedSong | undefined
  /** The current song with its neighbours in the context; undefined until loaded. */
  detail: SongDetail | undefined
  /**
   * The requested playlist, category or 'favorite'; `undefined` if no context was requested, so that the song's category is the context.
   */
  contextId: string | undefined
  contextTitle: string
  /**
   * The next songs in order: those that a person queued, then the rest of the context, which shuffle puts into a random order if all its
   * songs are known, then related songs.
   */
  upcoming: readonly QueueEntry[]
  /** Whether the songs of the context are being loaded, so that `upcoming` may lack them. */
  isContextLoading: boolean
  /** The song that follows if `upcoming` is empty: `wrap` is the context's first song; `linked` and `related` are not loaded. */
  nextKind: QueueStep['kind']
  canNext: boolean
  canPrevious: boolean
  /** Whether related songs follow the last song of the context. */
  endless: boolean
  /** Whether the queue is the radio of a song: the song, and related ones without end. */
  isSongRadio: boolean
  /** Whether no related song is found. */
  isExhausted: boolean
  loop: LoopSetting
  shuffle: boolean
  sleep: SleepSetting
  /** The volume, 0 to 1. */
  volume: number
  muted: boolean
  /** The length of the song in seconds; 0 while it is unknown. */
  durationSeconds: number
  /** Whether the video's frame exists, which requires the platform's script. */
  hasFrame: boolean
  error: PlayerError | undefined
}

export interface PlaybackPosition {
  positionSeconds: number
  /** The length of the video in seconds; 0 while it is unknown. */
  durationSeconds: number
}

export interface OpenRequest {
  /** The id of the song, which is the id of its video. */
  songId: string
  contextId?: string | undefined
  /** The index of the song in the list from which it was opened. It matters if the context contains the song twice. */
  listIndex?: number | undefined
  shuffle?: boolean
  /** Reloads the songs of the context, which may have changed, even if the context is the current one. */
  reloadContext?: boolean
}

/** A player. `hooks/player.tsx` connects the page's player to React. */
export interface Player {
  getSnapshot(): PlayerState
  subscribe(listener: () => void): () => void
  /** Calls `listener` several times a second during playback, and after each seek. Returns the function that unsubscribes. */
  onPosition(listener: (position: PlaybackPosition) => void): () => void
  position(): PlaybackPosition

  /** Plays a song of the catalogue. If the song is already the current one, it continues to play, and only the context changes. */
  open(request: OpenRequest): void
  play(): void
  pause(): void
  toggle(): void
  seek(seconds: number): void
  next(): void
  previous(): void
  /** Plays a song of the catalogue, and related songs after it. If the song is already the current one, it continues to play. */
  startSongRadio(song: Song): void
  /** Loads the song again after the status `failed`, and plays it unless it `staysPaused`. */
  retry(staysPaused?: boolean): void

  /**
   * Sets whether related songs follow the last song of the context, and stores this for the device. `isStored`: another tab has stored it, to which the
   * stored session then belongs, unless this player is playing.
   */
  setEndless(endless: boolean, isStored?: boolean): void
  setLoop(loop: LoopSetting): void
  setShuffle(shuffle: boolean): void
  /** Queues a song right after the current one, before songs that were queued earlier. Plays the song if the player has none. */
  playNext(song: Song): void
  /** Queues a song after the songs that were queued earlier, before the rest of the context. Plays the song if the player has none. */
  enqueue(song: Song): void
  /** Plays `upcoming[index]` now and removes the entries before it. */
  playFromQueue(index: number): void
  moveInQueue(from: number, to: number): void
  removeFromQueue(index: number): void
  /** Removes all entries of the queue. Playback stops after the current song unless another song is opened or queued. */
  clearQueue(): void
  /** Restores the entries that `clearQueue` removed, unless another song was opened since. */
  undoClearQueue(): void
  /** Loads the songs of the context that a queue restored after a reload lacks. While they are loading, `isContextLoading` is true. */
  completeQueue(): void
  /**
   * Forgets the context, the queue and the songs that were played, because the person who listened has signed out. The current song plays on without
   * its context, and nothing follows it. The song is stored again only if this page has stored a session and nobody is signed in.
   */
  forgetSession(): void
  setSleep(sleep: { minutes: number } | 'end-of-song' | 'off'): void
  setVolume(volume: number): void
  setMuted(muted: boolean): void

  /** Sets the parent element of the video's frame. The element must never be moved in the document. */
  attachStage(host: HTMLElement): void
  close(): void
}

/** The player of the page, which lives as long as the page. */
export type PagePlayer = Omit<Player, 'close' | 'forgetSession' | 'completeQueue'>
