import { createScope } from '../../../primitives/scope.ts'
import { createVideoEvents, type VideoAdapter, type VideoFailure } from '../../video-adapter.ts'

const PROGRESS_MS = 250

export interface SimulatedVideoOptions {
  /** The length of every video in seconds as the platform reports it. It can differ from the catalogue's length. */
  seconds: number
  /** The time that a video needs to load and to seek. */
  loadMs?: number
  seekMs?: number
  hasFineRates?: boolean
}

/** A video whose position advances with `performance.now()`, which the tests fake. */
export function createSimulatedVideo({ seconds, loadMs = 0, seekMs = 0, hasFineRates = true }: SimulatedVideoOptions) {
  const scope = createScope()
  const events = createVideoEvents()
  const commands: string[] = []
  const errorCodes = new Map<string, number>()
  let startPosition = { seconds: 0, atMs: 0 }
  let videoState: 'none' | 'buffering' | 'playing' | 'paused' | 'ended' = 'none'
  let rate = 1
  let error: VideoFailure | undefined
  let isReady = false
  let cancelStart = () => {}

  const currentTime = () =>
    startPosition.seconds + (videoState === 'playing' ? ((performance.now() - startPosition.atMs) / 1000) * rate : 0)
  const anchor = (at = currentTime()) => {
    startPosition = { seconds: at, atMs: performance.now() }
  }

  function startAfter(ms: number) {
    anchor()
    videoState = 'buffering'
    cancelStart()
    cancelStart = scope.timeout(() => {
      anchor()
      videoState = 'playing'
      events.emit('playing')
    }, ms)
  }

  function pause() {
    if (videoState !== 'playing' && videoState !== 'buffering') return
    anchor()
    cancelStart()
    videoState = 'paused'
    events.emit('pause')
  }

  scope.interval(() => {
    if (videoState !== 'playing') return
    if (currentTime() >= seconds) {
      anchor(seconds)
      videoState = 'ended'
      events.emit('ended')
    } else events.emit('timeupdate')
  }, PROGRESS_MS)

  const video: VideoAdapter = {
    on: events.on,
    get currentTime() {
      return currentTime()
    },
    set currentTime(seconds) {
      commands.push('seek')
      anchor(seconds)
      if (videoState === 'playing' && seekMs > 0) startAfter(seekMs)
      events.emit('timeupdate')
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
      commands.push(`rate ${newRate}`)
      anchor()
      rate = hasFineRates ? newRate : 1
    },
    get error() {
      return error
    },
    get ready() {
      return isReady
    },
    online: true,
    startTimeoutMs: 20_000,
    load(videoId, startSeconds) {
      commands.push(`load ${videoId}`)
      startPosition = { seconds: startSeconds, atMs: performance.now() }
      videoState = 'buffering'
      if (!isReady) {
        isReady = true
        events.emit('ready')
      }
      const code = errorCodes.get(videoId)
      if (code === undefined) return startAfter(loadMs)
      videoState = 'none'
      error = { kind: 'video', code }
      events.emit('error')
    },
    play: () => startAfter(0),
    pause,
    attach() {},
    close: scope.dispose,
  }
  return {
    video,
    commands,
    errorCodes,
    isPlaying: () => videoState === 'playing',
    pauseInFrame: pause,
    /** Stalls the video for a while, as a slow network or an advertisement does. */
    stall(ms: number) {
      startAfter(ms)
      events.emit('waiting')
    },
    seekInFrame: anchor,
    fireBlocked: () => events.emit('blocked'),
  }
}
