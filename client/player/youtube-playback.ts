import { startInterval } from '../primitives/scope.ts'
import type { VideoEvent } from './video-adapter.ts'

/** A video that was told to pause before its start may start within this time. */
const EARLY_PAUSE_MS = 1000
const POSITION_INTERVAL_MS = 250
/** Values of YT.PlayerState, which is undefined before the script is loaded. */
const ENDED_STATE = 0
const PLAYING_STATE = 1
const PAUSED_STATE = 2
const BUFFERING_STATE = 3

interface YoutubePlaybackDeps {
  emit: (type: VideoEvent) => void
  /** Called before each `timeupdate` event during playback. */
  onPoll: () => void
  pauseVideo: () => void
}

/** Turns the states that the platform reports, some of them late, into the events of a media element. */
export function createYoutubePlayback({ emit, onPoll, pauseVideo }: YoutubePlaybackDeps) {
  let isPlaying = false
  let hasStarted = false
  /** Whether a video that plays was told to pause and has not yet reported the pause. */
  let isPausing = false
  /** When a video that had not started yet was told to pause. */
  let pausedEarlyAtMs = Number.NEGATIVE_INFINITY
  let stopPolling: (() => void) | undefined

  function endPolling() {
    stopPolling?.()
    stopPolling = undefined
  }

  function stop() {
    endPolling()
    isPlaying = false
    isPausing = false
  }

  function onPlayingState() {
    // The platform sends states asynchronously: a stalled video that was told to pause may report that it plays again before it pauses.
    if (isPausing) return
    // The start was under way already; a later one is that of a person, inside the frame.
    if (performance.now() - pausedEarlyAtMs < EARLY_PAUSE_MS) return pauseVideo()
    hasStarted = true
    isPlaying = true
    stopPolling ??= startInterval(() => {
      onPoll()
      emit('timeupdate')
    }, POSITION_INTERVAL_MS)
    emit('durationchange')
    emit('playing')
  }

  return {
    get isPlaying() {
      return isPlaying
    },
    /** Whether the loaded video has started. Until then the platform's player reports the time of the previous video. */
    get hasStarted() {
      return hasStarted
    },
    /** Handles a new state of the platform's player: a value of YT.PlayerState. */
    onState(state: number) {
      if (state === PLAYING_STATE) return onPlayingState()
      if (state === BUFFERING_STATE) {
        if (isPlaying) emit('waiting')
        return
      }
      isPausing = false
      if (!hasStarted) return
      endPolling()
      isPlaying = false
      if (state === ENDED_STATE) emit('ended')
      if (state === PAUSED_STATE) {
        emit('timeupdate')
        emit('pause')
      }
    },
    /** Records a request before it is passed to the platform's player. */
    onLoad() {
      pausedEarlyAtMs = Number.NEGATIVE_INFINITY
      hasStarted = false
      stop()
    },
    onPlay() {
      isPausing = false
      pausedEarlyAtMs = Number.NEGATIVE_INFINITY
    },
    onPause() {
      isPausing = isPlaying
      if (!hasStarted) pausedEarlyAtMs = performance.now()
    },
    /** Ends the playback, after a failure or without a frame. */
    stop,
  }
}
