/**
 * `video`: the platform's code for a video that does not play. `network`: the platform's script or player could not be
 * loaded, or did not answer in time.
 */
export type VideoFailure = { kind: 'video'; code: number } | { kind: 'network' }

/** What a video tells, by the names that media elements use. `blocked`: the browser wants a press on play first. */
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

/** The part of a media element that the player needs, over whatever really plays. */
export interface VideoAdapter extends Pick<EventTarget, 'removeEventListener'> {
  addEventListener(type: VideoEvent, listener: () => void): void
  /** Seconds. Assigning seeks. */
  currentTime: number
  /** Seconds; 0 where it is not known. */
  readonly duration: number
  readonly paused: boolean
  /** 0 to 1. */
  volume: number
  muted: boolean
  /** Why the latest `error` was sent. */
  readonly error: VideoFailure | undefined
  /** What plays can be seen: its frame stands in the document. */
  readonly ready: boolean
  /** Plays a video from `startSeconds`. The platform is loaded at the first call, never before. */
  load(videoId: string, startSeconds: number): void
  play(): void
  pause(): void
  /** The element that the frame is put into, once. */
  attach(host: HTMLElement): void
  close(): void
}

/** The listeners' half of an adapter. */
export class VideoEvents {
  private readonly target = new EventTarget()
  addEventListener(type: VideoEvent, listener: () => void): void {
    this.target.addEventListener(type, listener)
  }
  removeEventListener: EventTarget['removeEventListener'] = (type, listener, options) =>
    this.target.removeEventListener(type, listener, options)
  emit(type: VideoEvent): void {
    this.target.dispatchEvent(new Event(type))
  }
}
