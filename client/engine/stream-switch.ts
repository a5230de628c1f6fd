import type { Scope } from '../primitives/scope.ts'
import type { LoopFrames } from './loop-reader.ts'
import type { MonitorSources, PreviewTarget } from './monitor-sources.ts'
import { computeEarliestStartS, type PreviewAudio } from './preview-audio.ts'
import type { PreviewGraph } from './preview-graph.ts'
import type { PreviewSource } from './preview-source.ts'
import { createPreviewStream, type PreviewStream } from './preview-stream.ts'
import { computeDurationS } from './sound.ts'

/** The state of a preview's playback: the sound and settings that are played, and the position. */
export interface PreviewPlayback {
  target: PreviewTarget
  isPlaying: boolean
  /** The position while playback is paused, in seconds of the source. */
  pausedPositionS: number
  /** The target of a seek during playback, until the stream of that position has started. */
  seekTargetS: number | undefined
  /** The time of the last change, by `performance.now()`. */
  changedAtMs: number
}

export interface StreamSwitchDeps {
  readonly playback: PreviewPlayback
  readonly audio: PreviewAudio
  readonly sources: MonitorSources
  readonly scope: Scope
  readonly onFailure: () => void
}

/** Plays the target of a preview with one stream, and cross-fades to a new stream after each change. */
export function createStreamSwitch({ playback, audio, sources, scope, onFailure }: StreamSwitchDeps) {
  let stream: PreviewStream | undefined
  let changeDelayMs = 0
  let isSwitchRunning = false
  let isAnotherSwitchNeeded = false

  const computeSourceTime = (each: PreviewStream, timeS: number) =>
    Math.min(computeDurationS(playback.target.sound), (each.findFrameAt(timeS) * each.source.playbackRate) / each.source.sampleRate)
  const readSourcePositionS = (timeS = audio.context?.currentTime ?? 0) =>
    playback.seekTargetS ?? (playback.isPlaying && stream !== undefined ? computeSourceTime(stream, timeS) : playback.pausedPositionS)

  function computeLoopFrames({ playbackRate, dryFrames, sampleRate }: PreviewSource): LoopFrames | undefined {
    const { on, startS, endS } = playback.target.loop
    const toFrame = (seconds: number) => Math.min(dryFrames, Math.round((seconds * sampleRate) / playbackRate))
    const [startFrame, endFrame] = [toFrame(startS), toFrame(endS)]
    return on && endFrame > startFrame ? { startFrame, endFrame } : undefined
  }

  /** Cross-fades from the current stream to a new stream of `playback.target`, at the same position in the music. */
  async function switchStream(context: AudioContext, { input }: PreviewGraph): Promise<void> {
    const { target, changedAtMs } = playback
    const { source, peakSoFar } = await sources.sourceFor(target)
    const loop = computeLoopFrames(source)
    const seekTarget = playback.seekTargetS
    const findFrame = (positionSeconds: number) => {
      const frame = Math.round((positionSeconds * source.sampleRate) / source.playbackRate)
      return loop !== undefined && (frame < loop.startFrame || frame >= loop.endFrame) ? loop.startFrame : Math.min(frame, source.frames)
    }
    const firstFrame = findFrame(readSourcePositionS())
    const nextStream = await createPreviewStream(context, input, source, {
      firstFrame,
      loop,
      gain: sources.gainOf(source),
      peakSoFar,
      scope,
    })
    if (!playback.isPlaying || scope.signal.aborted) return
    const switchTimeS = Math.ceil(computeEarliestStartS(context) * source.sampleRate) / source.sampleRate
    // Computes the position again, because playback has moved on while the first buffer was rendered.
    nextStream.start(
      switchTimeS,
      seekTarget === undefined && stream !== undefined ? findFrame(computeSourceTime(stream, switchTimeS)) : firstFrame,
    )
    stream?.end(switchTimeS)
    stream = nextStream
    if (playback.seekTargetS === seekTarget) playback.seekTargetS = undefined
    changeDelayMs = performance.now() - changedAtMs + 1000 * (switchTimeS - context.currentTime)
    nextStream.fill().catch(onFailure)
    // Playback changes to the new settings immediately; the loudness is matched after it has been measured.
    if (!isAnotherSwitchNeeded)
      sources.matchEdited().then(
        (isMatched) => isMatched && stream?.setGain(sources.gainOf(stream.source)),
        () => {},
      )
  }

  return {
    get stream() {
      return stream
    },
    /** The time in milliseconds from the last change until the changed sound was scheduled to play. */
    get changeMs() {
      return changeDelayMs
    },
    /** The position in seconds of the source, at a time of the audio context, now by default. */
    positionS: readSourcePositionS,
    /** Switches to a new stream of `playback.target`. Changes that are made during a switch are applied together by the next switch. */
    async refresh() {
      const { context, graph } = audio
      if (!playback.isPlaying || graph === undefined || context === undefined) return
      isAnotherSwitchNeeded = true
      if (isSwitchRunning) return
      isSwitchRunning = true
      try {
        while (isAnotherSwitchNeeded && playback.isPlaying) {
          isAnotherSwitchNeeded = false
          await switchStream(context, graph)
        }
      } finally {
        isSwitchRunning = false
      }
    },
    /** Fades the sound out. */
    end() {
      if (audio.context !== undefined) stream?.end(computeEarliestStartS(audio.context))
      stream = undefined
    },
  }
}
