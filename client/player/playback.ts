import { createPlayWatch } from './play-watch.ts'
import type { PlayerError, PlayerStatus, Position } from './player-interface.ts'
import type { VideoAdapter } from './video-adapter.ts'

/** A video that gives no sign of life in this time waits for a press on play, or could not be loaded. */
const NO_SIGN_MS = 20_000

interface PlaybackEvents {
  /** Status, error, duration or frame are others. */
  changed(): void
  moved(position: Position): void
  /** It plays, after it did not. */
  started(): void
  ended(): void
  unplayable(code: number): void
  /** It really plays, so that what failed before it is history. */
  heard(): void
  /** So much of it was heard that it counts as a play. */
  counted(): void
}

/** One song in the video: its status from being on its way to its end. It knows nothing of what comes next. */
export interface Playback {
  readonly status: PlayerStatus
  readonly error: PlayerError | undefined
  /** The video that was given to the adapter. */
  readonly loadedId: string | undefined
  position(): Position
  /** Something else than the video decides the status: nothing is here yet, or it could not be found. */
  setStatus(status: PlayerStatus, error?: PlayerError): void
  /** A song that is shown, but not given to the video before a person presses play. */
  cue(lengthSeconds: number, startSeconds: number): void
  load(songId: string, lengthSeconds: number, startSeconds: number): void
  play(): void
  replay(): void
  pause(): void
  seek(seconds: number): void
  close(): void
}

export function createPlayback(video: VideoAdapter, events: PlaybackEvents): Playback {
  let status: PlayerStatus = 'idle'
  let error: PlayerError | undefined
  let loadedId: string | undefined
  /** Seconds, as the catalogue knows it; 0 where it does not. */
  let knownLength = 0
  /** Where the video starts as long as it is not loaded. */
  let cuedSeconds = 0
  let noSign: ReturnType<typeof setTimeout> | undefined
  const watch = createPlayWatch({ heard: events.heard, counted: events.counted })

  function setStatus(next: PlayerStatus, failure?: PlayerError) {
    if (next !== 'loading') clearTimeout(noSign)
    status = next
    error = failure
    events.changed()
  }

  function position(): Position {
    const length = (loadedId !== undefined && video.duration) || knownLength
    return { positionSeconds: loadedId === undefined ? cuedSeconds : video.currentTime, durationSeconds: length }
  }

  function expectSign() {
    clearTimeout(noSign)
    noSign = setTimeout(() => {
      if (status !== 'loading') return
      if (video.ready && globalThis.navigator.onLine) setStatus('blocked')
      else failToLoad()
    }, NO_SIGN_MS)
  }

  function failToLoad() {
    cuedSeconds = position().positionSeconds
    loadedId = undefined
    setStatus('failed', { kind: 'network', message: 'The video could not be loaded.' })
  }

  video.addEventListener('playing', () => {
    // Also pressed inside the frame, while this page had given up or was paused: what plays is what counts.
    const started = status !== 'playing'
    setStatus('playing')
    if (started) events.started()
  })
  video.addEventListener('pause', () => {
    if (status === 'playing') setStatus('paused')
  })
  video.addEventListener('blocked', () => setStatus('blocked'))
  video.addEventListener('ended', events.ended)
  video.addEventListener('error', () => {
    const failure = video.error
    // Without a network the platform's codes say nothing about the video.
    if (failure?.kind !== 'video' || !globalThis.navigator.onLine) return failToLoad()
    clearTimeout(noSign)
    events.unplayable(failure.code)
  })
  video.addEventListener('durationchange', events.changed)
  video.addEventListener('ready', events.changed)
  video.addEventListener('timeupdate', () => {
    watch.at(video.currentTime)
    events.moved(position())
  })

  return {
    get status() {
      return status
    },
    get error() {
      return error
    },
    get loadedId() {
      return loadedId
    },
    position,
    setStatus,
    cue(lengthSeconds, startSeconds) {
      loadedId = undefined
      knownLength = lengthSeconds
      cuedSeconds = startSeconds
      setStatus('paused')
    },
    load(songId, lengthSeconds, startSeconds) {
      loadedId = songId
      knownLength = lengthSeconds
      cuedSeconds = startSeconds
      watch.begin(startSeconds)
      setStatus('loading')
      expectSign()
      video.load(songId, startSeconds)
      events.moved({ positionSeconds: startSeconds, durationSeconds: lengthSeconds })
    },
    play() {
      setStatus('loading')
      expectSign()
      video.play()
    },
    replay() {
      video.currentTime = 0
      watch.jump(0)
      video.play()
    },
    pause() {
      video.pause()
      if (status === 'playing' || status === 'loading' || status === 'blocked') setStatus('paused')
    },
    seek(seconds) {
      const { durationSeconds } = position()
      const target = Math.max(0, durationSeconds > 0 ? Math.min(seconds, durationSeconds) : seconds)
      if (loadedId === undefined) cuedSeconds = target
      else video.currentTime = target
      watch.jump(target)
      events.moved({ positionSeconds: target, durationSeconds })
    },
    close() {
      clearTimeout(noSign)
      video.close()
    },
  }
}
