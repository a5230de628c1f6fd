import { createEmitter } from '../primitives/emitter.ts'

/**
 * `video`: the platform's error code for a video that cannot be played. `network`: the platform's script or player was not loaded, or did
 * not answer in time.
 */
export type VideoFailure = { kind: 'video'; code: number } | { kind: 'network' }

/** The events have the names of those of media elements. `blocked`: the browser requires a user gesture before playback. */
export type VideoEvent =
  | 'timeupdate'
  | 'durationchange'
  | 'ended'
  | 'playing'
  | 'pause'
  | 'waiting'
  | 'blocked'
  | 'ready'
  | 'error'
  | 'volumechange'

/** The members of a media element that the player uses, implemented by each video platform. */
export interface VideoAdapter {
  /** Returns the function that removes the listener. */
  on(type: VideoEvent, listener: () => void): () => void
  /** The playback position in seconds. Assigning it seeks. */
  currentTime: number
  /** The length of the video in seconds; 0 while it is unknown. */
  readonly duration: number
  readonly paused: boolean
  /** The volume, 0 to 1. */
  volume: number
  muted: boolean
  /** The rate of the playback, 1 by default. Assigning it is a request that the platform may round or ignore. */
  playbackRate: number
  /** The cause of the latest `error` event. */
  readonly error: VideoFailure | undefined
  /** Whether the video's frame is in the document and can be played. */
  readonly ready: boolean
  /**
   * Whether the video platform can be reached, or no network is needed. While the value is false, an error does not mean that the video is
   * unplayable.
   */
  readonly online: boolean
  /** If a loading video sends no event within this time in milliseconds, the browser has blocked it or it could not be loaded. */
  readonly startTimeoutMs: number
  /** Plays a video from `startSeconds`. The first call loads the platform's script. */
  load(videoId: string, startSeconds: number): void
  play(): void
  pause(): void
  /** Sets the element that the frame is appended to. Called once. */
  attach(host: HTMLElement): void
  close(): void
}

/** Implements the events of an adapter. */
export function createVideoEvents() {
  const eventEmitter = createEmitter<VideoEvent>()
  return {
    on: (eventType: VideoEvent, listener: () => void): (() => void) =>
      eventEmitter.subscribe((emitted) => {
        if (emitted === eventType) listener()
      }),
    emit: eventEmitter.emit,
  }
}
