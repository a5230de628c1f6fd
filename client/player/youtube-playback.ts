import { startInterval } from '../primitives/scope.ts'
import type { VideoEvent } from './video-adapter.ts'

/** A video for which a pause was requested before its start may still start within this time. */
const START_AFTER_PAUSE_MAX_MS = 1000
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
  let isVideoPlaying = false
  let hasVideoStarted = false
  /** Whether a pause was requested for a playing video that has not reported the pause yet. */
  let isVideoPausing = false
  /** The time at which a pause was requested for a video that had not started yet. */
  let pausedEarlyAtMs = Number.NEGATIVE_INFINITY
  let stopPolling: (() => void) | undefined

  function endPolling() {
    stopPolling?.()
    stopPolling = undefined
  }

  function stopPlayback() {
    endPolling()
    isVideoPlaying = false
    isVideoPausing = false
  }

  function onPlayingState() {
    // The platform sends states asynchronously: after a request to pause, a stalled video may report that it plays again before it pauses.
    if (isVideoPausing) return
    // The video started although a pause was requested, because its start was already under way. A later start is caused by a person inside
    // the frame.
    if (performance.now() - pausedEarlyAtMs < START_AFTER_PAUSE_MAX_MS) return pauseVideo()
    hasVideoStarted = true
    isVideoPlaying = true
    stopPolling ??= startInterval(() => {
      onPoll()
      emit('timeupdate')
    }, POSITION_INTERVAL_MS)
    emit('durationchange')
    emit('playing')
  }

  return {
    get isPlaying() {
      return isVideoPlaying
    },
    /** Whether the loaded video has started. Until then the platform's player reports the time of the previous video. */
    get hasStarted() {
      return hasVideoStarted
    },
    /** Handles a new state of the platform's player: a value of YT.PlayerState. */
    onState(stateCode: number) {
      if (stateCode === PLAYING_STATE) return onPlayingState()
      if (stateCode === BUFFERING_STATE) {
        if (isVideoPlaying) emit('waiting')
        return
      }
      isVideoPausing = false
      if (!hasVideoStarted) return
      endPolling()
      isVideoPlaying = false
      if (stateCode === ENDED_STATE) emit('ended')
      if (stateCode === PAUSED_STATE) {
        emit('timeupdate')
        emit('pause')
      }
    },
    /** Records a request before it is passed to the platform's player. */
    onLoad() {
      pausedEarlyAtMs = Number.NEGATIVE_INFINITY
      hasVideoStarted = false
      stopPlayback()
    },
    onPlay() {
      isVideoPausing = false
      pausedEarlyAtMs = Number.NEGATIVE_INFINITY
    },
    onPause() {
      isVideoPausing = isVideoPlaying
      if (!hasVideoStarted) pausedEarlyAtMs = performance.now()
    },
    /** Resets the playback state after a failure, or after the frame was removed. */
    stop: stopPlayback,
  }
}
