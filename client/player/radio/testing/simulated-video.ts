import { createCleanupScope } from '../../../primitives/scope.ts'
import { createVideoEvents, type VideoAdapter, type VideoFailure } from '../../video-adapter.ts'

const PROGRESS_INTERVAL_MS = 250

export interface SimulatedVideoOptions {
  /** The length of every video in seconds as the platform reports it. It can differ from the catalogue's length. */
  durationSeconds: number
  /** The time that a video needs to load and to seek. */
  loadMs?: number
  seekMs?: number
  hasFineRates?: boolean
}

/** A video whose position advances with `performance.now()`, which the tests fake. */
export function createSimulatedVideo({ durationSeconds: seconds, loadMs = 0, seekMs = 0, hasFineRates = true }: SimulatedVideoOptions) {
  const scope = createCleanupScope()
  const videoEvents = createVideoEvents()
  const commandNames: string[] = []
  const errorCodeByVideoId = new Map<string, number>()
  let startPosition = { seconds: 0, atMs: 0 }
  let videoState: 'none' | 'buffering' | 'playing' | 'paused' | 'ended' = 'none'
  let rate = 1
  let error: VideoFailure | undefined
  let isVideoReady = false
  let cancelStart = () => {}

  const readCurrentTime = () =>
    startPosition.seconds + (videoState === 'playing' ? ((performance.now() - startPosition.atMs) / 1000) * rate : 0)
  const anchorClock = (at = readCurrentTime()) => {
    startPosition = { seconds: at, atMs: performance.now() }
  }

  function startAfter(delayMs: number) {
    anchorClock()
    videoState = 'buffering'
    cancelStart()
    cancelStart = scope.timeout(() => {
      anchorClock()
      videoState = 'playing'
      videoEvents.emit('playing')
    }, delayMs)
  }

  function pauseVideo() {
    if (videoState !== 'playing' && videoState !== 'buffering') return
    anchorClock()
    cancelStart()
    videoState = 'paused'
    videoEvents.emit('pause')
  }

  scope.interval(() => {
    if (videoState !== 'playing') return
    if (readCurrentTime() >= seconds) {
      anchorClock(seconds)
      videoState = 'ended'
      videoEvents.emit('ended')
    } else videoEvents.emit('timeupdate')
  }, PROGRESS_INTERVAL_MS)

  const video: VideoAdapter = {
    on: videoEvents.on,
    get currentTime() {
      return readCurrentTime()
    },
    set currentTime(positionSeconds) {
      commandNames.push('seek')
      anchorClock(positionSeconds)
      if (videoState === 'playing' && seekMs > 0) startAfter(seekMs)
      videoEvents.emit('timeupdate')
    },
    get duration() {
      return videoState === 'none' ? 0 : seconds
    },
    get paused() {
      return videoState !== 'playing'
    },
    volume: 1,
    muted: false,
    get playbackRate() {
      return rate
    },
    set playbackRate(newRate) {
      commandNames.push(`rate ${newRate}`)
      anchorClock()
      rate = hasFineRates ? newRate : 1
    },
    get error() {
      return error
    },
    get ready() {
      return isVideoReady
    },
    online: true,
    startTimeoutMs: 20_000,
    load(videoId, startSeconds) {
      commandNames.push(`load ${videoId}`)
      startPosition = { seconds: startSeconds, atMs: performance.now() }
      videoState = 'buffering'
      if (!isVideoReady) {
        isVideoReady = true
        videoEvents.emit('ready')
      }
      const errorCode = errorCodeByVideoId.get(videoId)
      if (errorCode === undefined) return startAfter(loadMs)
      videoState = 'none'
      error = { kind: 'video', code: errorCode }
      videoEvents.emit('error')
    },
    play: () => startAfter(0),
    pause: pauseVideo,
    attach() {},
    close: scope.dispose,
  }
  return {
    video,
    commands: commandNames,
    errorCodes: errorCodeByVideoId,
    isPlaying: () => videoState === 'playing',
    pauseInFrame: pauseVideo,
    /** Stalls the video for a while, as a slow network or an advertisement does. */
    stall(stallMs: number) {
      startAfter(stallMs)
      videoEvents.emit('waiting')
    },
    seekInFrame: anchorClock,
    fireBlocked: () => videoEvents.emit('blocked'),
  }
}
