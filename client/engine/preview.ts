import { createCleanupScope } from '../primitives/scope.ts'
import type { Position } from './engine.ts'
import { createMonitorSources, type PreviewTarget } from './monitor-sources.ts'
import { createPreviewAudio } from './preview-audio.ts'
import { computeDurationS } from './sound.ts'
import { createStreamSwitch, type PreviewPlayback } from './stream-switch.ts'

export interface PreviewDeps {
  readonly target: PreviewTarget
  readonly volume: number
  readonly onPosition: (position: Position) => void
  /** Called when playback stops by itself: at the end of the sound, and after an error. */
  readonly onStop: () => void
  /** Receives the monitor's output node when playback first starts. */
  readonly onOutput?: ((context: AudioContext, output: AudioNode) => void) | undefined
}

const FILL_PERIOD_MS = 100
/**
 * The number of checks in a row with the same time of the audio context after which its clock counts as stopped. A context can lose its
 * audio device without an error.
 */
const STALLED_CHECK_COUNT = 40
/**
 * The state of the clock check before the first check: the last time that was read from the context, and the number of checks since which this time
 * has not advanced.
 */
const INITIAL_CLOCK_CHECK = { timeS: -1, periods: 0 }
/**
 * How long the sound must play before the render worker is warmed up for changes of the settings. While playback is paused, the worker is
 * not warmed up, because the person may have paused for an export.
 */
const WARM_UP_AFTER_MS = 300

/** Plays a sound while it is edited. The played frames equal those that an export renders at the sound's own sampling rate. */
export function createPreview({ target, volume, onPosition, onStop, onOutput }: PreviewDeps) {
  const scope = createCleanupScope()
  const playback: PreviewPlayback = { target, isPlaying: false, pausedPositionS: 0, seekTargetS: undefined, changedAtMs: 0 }
  const previewAudio = createPreviewAudio({
    sampleRate: target.sound.sampleRate,
    volume,
    scope,
    isPlaying: () => playback.isPlaying,
    onOutput,
  })
  const monitorSources = createMonitorSources(() => {
    const { stream } = streamSwitch
    if (stream !== undefined && monitorSources.isEdited(stream.source)) stream.stopRendering()
  })
  const streamSwitch = createStreamSwitch({ playback, audio: previewAudio, sources: monitorSources, scope, onFailure: reportFailure })
  let stopTimers = () => {}
  let playbackClock = INITIAL_CLOCK_CHECK

  /** Whether the context reports the state `running`, although its time has not advanced for several checks. */
  function isClockStalled({ currentTime, state }: AudioContext): boolean {
    const isStill = state === 'running' && currentTime === playbackClock.timeS
    playbackClock = { timeS: currentTime, periods: isStill ? playbackClock.periods + 1 : 0 }
    return playbackClock.periods >= STALLED_CHECK_COUNT
  }

  function fillStream() {
    const { stream } = streamSwitch
    if (stream === undefined || previewAudio.context === undefined) return
    if (isClockStalled(previewAudio.context)) {
      reportFailure()
      // Closes the audio context whose clock has stopped; the next play opens a new one.
      previewAudio.reset()
      playbackClock = INITIAL_CLOCK_CHECK
    } else if (previewAudio.context.currentTime >= stream.endTimeS) {
      stopPlayback(computeDurationS(playback.target.sound))
      onStop()
    } else {
      stream.setGain(monitorSources.gainOf(stream.source))
      stream.fill().catch(reportFailure)
    }
  }

  /** Stops playback after an error of the render worker. The next play starts a new worker. */
  function reportFailure() {
    if (scope.signal.aborted) return
    monitorSources.reset()
    if (playback.isPlaying) stopPlayback(streamSwitch.positionS())
    onStop()
  }

  function stopPlayback(sourcePositionS: number) {
    playback.isPlaying = false
    playback.pausedPositionS = sourcePositionS
    playback.seekTargetS = undefined
    streamSwitch.end()
    stopTimers()
    previewAudio.suspendLater()
    reportPosition()
  }

  function reportPosition() {
    const { context, graph } = previewAudio
    onPosition({
      sourceS: streamSwitch.positionS((context?.currentTime ?? 0) - (context?.outputLatency || 0)),
      peakDb: playback.isPlaying && graph !== undefined ? graph.peakDb() : [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
    })
  }

  /** Starts rendering ahead, and reporting the position with each animation frame, until playback stops. */
  function startTimers() {
    stopTimers()
    const stopFilling = scope.interval(fillStream, FILL_PERIOD_MS)
    // A failure of the worker is ignored here, because the next render rejects with it.
    const cancelWarmUp = scope.timeout(() => monitorSources.warmUp()?.catch(() => {}), WARM_UP_AFTER_MS)
    let animationFrameId = 0
    const reportPositionEachFrame = () => {
      animationFrameId = requestAnimationFrame(() => {
        if (!playback.isPlaying) return
        reportPosition()
        reportPositionEachFrame()
      })
    }
    reportPositionEachFrame()
    stopTimers = () => {
      stopFilling()
      cancelWarmUp()
      cancelAnimationFrame(animationFrameId)
    }
  }

  /** Applies changed settings, a changed loop or a changed source during playback. */
  function applyChange() {
    playback.changedAtMs = performance.now()
    streamSwitch.refresh().catch(reportFailure)
  }

  return {
    get isPlaying() {
      return playback.isPlaying
    },
    /** The time in milliseconds from the last change until the changed sound was scheduled to play. */
    get changeMs() {
      return streamSwitch.changeMs
    },
    /** The position in the source at which the preview plays, in seconds at the original speed. */
    get positionS() {
      return streamSwitch.positionS()
    },
    /** Starts playback. The first call must be in a user gesture: the browser keeps the audio context suspended until there is one. */
    async play() {
      if (playback.isPlaying || scope.signal.aborted) return
      playback.isPlaying = true
      playback.changedAtMs = performance.now()
      const { loop, sound } = playback.target
      if (playback.pausedPositionS >= computeDurationS(sound)) playback.pausedPositionS = loop.on ? loop.startS : 0
      try {
        await previewAudio.open()
      } catch (error) {
        if (scope.signal.aborted) return
        stopPlayback(playback.pausedPositionS)
        onStop()
        throw error
      }
      if (!playback.isPlaying) return
      startTimers()
      await streamSwitch.refresh().catch(reportFailure)
    },
    pause() {
      if (playback.isPlaying) stopPlayback(streamSwitch.positionS())
    },
    seek(toS: number) {
      const clampedPositionS = Math.min(computeDurationS(playback.target.sound), Math.max(0, toS))
      if (playback.isPlaying) playback.seekTargetS = clampedPositionS
      else playback.pausedPositionS = clampedPositionS
      reportPosition()
      applyChange()
    },
    /**
     * Changes the settings, the loop, the source, or the edits of the sound, which keeps its sampling rate. During playback, the change is audible
     * immediately.
     */
    apply(targetChanges: Partial<PreviewTarget>) {
      playback.target = { ...playback.target, ...targetChanges }
      applyChange()
    },
    setVolume: previewAudio.setVolume,
    dispose() {
      if (playback.isPlaying) stopPlayback(streamSwitch.positionS())
      scope.dispose()
      monitorSources.reset()
      previewAudio.dispose()
    },
  }
}

export type Preview = ReturnType<typeof createPreview>
