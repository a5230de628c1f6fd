import { createScope } from '../primitives/scope.ts'
import type { LoopRange, MakerSettings, Position } from './engine.ts'
import type { LoopFrames } from './loop-reader.ts'
import { createLoudnessMatch, type MonitorSource } from './loudness-match.ts'
import { earliestStartS, openContext } from './preview-context.ts'
import { editedSource, originalSource, type PreviewSource } from './preview-source.ts'
import { createPreviewStream, type PreviewStream } from './preview-stream.ts'
import { createRenderClient, type RenderClient } from './render-client.ts'
import type { Sound } from './sound.ts'
import type { PreviewGraph } from './tone.ts'

/** Plays a sound while it is edited: the frames that an export renders, at the sound's own sampling rate. */
export interface Preview {
  readonly isPlaying: boolean
  /** Starts playback. The first call must be in a user gesture: the browser keeps the audio context suspended until there is one. */
  play(): Promise<void>
  pause(): void
  seek(sourceS: number): void
  /** Changes the settings, loop or source that is played, at once during playback. */
  apply(changes: Partial<PreviewTarget>): void
  setVolume(volume: number): void
  /** Milliseconds from the last change to the time for which its sound was scheduled. */
  readonly changeMs: number
  dispose(): void
}

/** The sound, settings and loop that the preview plays. */
export interface PreviewTarget {
  readonly settings: MakerSettings
  readonly monitor: 'edited' | 'original'
  readonly loop: LoopRange
}

export interface PreviewDeps {
  readonly sound: Sound
  readonly target: PreviewTarget
  readonly volume: number
  readonly onPosition: (position: Position) => void
  /** Called when playback stops by itself: at the end of the sound, and after an error. */
  readonly onStop: () => void
  /** Receives the monitor's output node when playback first starts. */
  readonly onOutput?: ((context: AudioContext, output: AudioNode) => void) | undefined
}

const FILL_PERIOD_MS = 100
/** How long the sound must play until the render worker warms up for changes. It does not while playback is paused, perhaps for an export. */
const WARM_UP_AFTER_MS = 300
/** How long playback must be stopped until the audio device is released. Resuming it delays the sound. */
const SUSPEND_AFTER_MS = 5000

export function createPreview({ sound, target: initialTarget, volume: initialVolume, onPosition, onStop, onOutput }: PreviewDeps): Preview {
  const scope = createScope()
  let target = initialTarget
  let volume = initialVolume
  let isPlaying = false
  /** The position while playback is paused, in seconds of the source. */
  let pausedS = 0
  /** The target of a seek during playback, until the stream of that position has started. */
  let seekS: number | undefined
  let audio: { readonly context: AudioContext; readonly graph: Promise<PreviewGraph> } | undefined
  let graph: PreviewGraph | undefined
  let renderClient: RenderClient | undefined
  let editedMonitor: (MonitorSource & { readonly settings: MakerSettings }) | undefined
  const original: MonitorSource = { source: originalSource(sound), peakSoFar: { peak: 0 } }
  const loudnessMatch = createLoudnessMatch(original)
  let stream: PreviewStream | undefined
  /** Whether the edited and the original sound are matched in loudness, which starts with the first comparison. */
  let isMatched = false
  let changedAtMs = 0
  let changeMs = 0
  let isSwitching = false
  let changedAgain = false
  let stopFilling = () => {}
  let cancelWarmUp = () => {}
  let cancelSuspension = () => {}
  let frameRequest = 0

  const durationS = sound.frames / sound.sampleRate
  const sourceSecondsAt = (each: PreviewStream, timeS: number) =>
    Math.min(durationS, (each.frameAt(timeS) * each.source.rate) / sound.sampleRate)
  const positionS = (timeS = audio?.context.currentTime ?? 0) =>
    seekS ?? (isPlaying && stream !== undefined ? sourceSecondsAt(stream, timeS) : pausedS)

  function openAudio() {
    if (audio !== undefined) return audio
    const context = openContext(sound.sampleRate)
    scope.listen(context, 'statechange', resumeContext)
    if (navigator.mediaDevices) scope.listen(navigator.mediaDevices, 'devicechange', resumeContext)
    scope.listen(document, 'visibilitychange', resumeContext)
    // This flag keeps Tone.js from writing its version to the console.
    Object.assign(globalThis, { TONE_SILENCE_LOGGING: true })
    const openedGraph = import('./tone.ts').then(({ createPreviewGraph }) => {
      if (scope.signal.aborted) throw new DOMException('the preview was disposed', 'AbortError')
      graph = createPreviewGraph(context, volume)
      onOutput?.(context, graph.output)
      return graph
    })
    audio = { context, graph: openedGraph }
    return audio
  }

  /** Resumes a context that the system has suspended: for a call, another audio device or a hidden tab. */
  function resumeContext() {
    if (isPlaying && audio !== undefined && audio.context.state !== 'running' && audio.context.state !== 'closed')
      audio.context.resume().catch(() => {})
  }

  async function sourceFor({ settings, monitor }: PreviewTarget): Promise<MonitorSource> {
    if (monitor === 'original') isMatched = true
    if (editedMonitor?.settings !== settings && (monitor === 'edited' || isMatched)) {
      // The render client can no longer read the source with the previous settings.
      if (stream !== undefined && stream.source !== original.source) stream.freeze()
      renderClient ??= createRenderClient()
      const source = editedSource(renderClient, sound, settings)
      editedMonitor = { settings, source, peakSoFar: { peak: 0 } }
    }
    if (monitor === 'original' || editedMonitor === undefined) {
      if (editedMonitor !== undefined) await loudnessMatch.measure(editedMonitor)
      return original
    }
    return editedMonitor
  }

  function loopFrames({ rate, dryFrames }: PreviewSource): LoopFrames | undefined {
    const { on, startS, endS } = target.loop
    const toFrame = (seconds: number) => Math.min(dryFrames, Math.round((seconds * sound.sampleRate) / rate))
    const [startFrame, endFrame] = [toFrame(startS), toFrame(endS)]
    return on && endFrame > startFrame ? { startFrame, endFrame } : undefined
  }

  /** Switches to a stream of the current target. Changes made while a switch is under way are applied together by the next one. */
  async function refreshStream(): Promise<void> {
    if (!isPlaying || graph === undefined || audio === undefined) return
    changedAgain = true
    if (isSwitching) return
    isSwitching = true
    try {
      while (changedAgain && isPlaying) {
        changedAgain = false
        await switchStream(audio.context, graph)
      }
    } finally {
      isSwitching = false
    }
  }

  /** Cross-fades from the current stream to one of the current target, at the same place of the music. */
  async function switchStream(context: AudioContext, { input }: PreviewGraph): Promise<void> {
    const switchTarget = target
    const sinceMs = changedAtMs
    const { source, peakSoFar } = await sourceFor(switchTarget)
    const loop = loopFrames(source)
    const seekTarget = seekS
    const frameOf = (seconds: number) => {
      const frame = Math.round((seconds * sound.sampleRate) / source.rate)
      return loop !== undefined && (frame < loop.startFrame || frame >= loop.endFrame) ? loop.startFrame : Math.min(frame, source.frames)
    }
    const firstFrame = frameOf(positionS())
    const nextStream = await createPreviewStream(context, input, source, {
      firstFrame,
      loop,
      gain: loudnessMatch.gainOf(source),
      peakSoFar,
      scope,
    })
    if (!isPlaying || scope.signal.aborted) return
    const atS = Math.ceil(earliestStartS(context) * sound.sampleRate) / sound.sampleRate
    // Computes the position again, because playback has moved on while the first buffer was rendered.
    nextStream.start(atS, seekTarget === undefined && stream !== undefined ? frameOf(sourceSecondsAt(stream, atS)) : firstFrame)
    stream?.end(atS)
    stream = nextStream
    if (seekS === seekTarget) seekS = undefined
    changeMs = performance.now() - sinceMs + 1000 * (atS - context.currentTime)
    nextStream.fill().catch(reportFailure)
    // The new settings play at once; their loudness is matched when it is measured.
    if (isMatched && editedMonitor !== undefined && !changedAgain)
      loudnessMatch.measure(editedMonitor).then(
        () => stream?.setGain(loudnessMatch.gainOf(stream.source)),
        () => {},
      )
  }

  function fillStream() {
    if (stream === undefined || audio === undefined) return
    if (audio.context.currentTime >= stream.endS) {
      stopPlayback(durationS)
      onStop()
    } else {
      stream.setGain(loudnessMatch.gainOf(stream.source))
      stream.fill().catch(reportFailure)
    }
  }

  /** Stops playback after an error of the render worker. The next play starts a new worker. */
  function reportFailure() {
    if (scope.signal.aborted) return
    renderClient?.terminate()
    renderClient = undefined
    editedMonitor = undefined
    if (isPlaying) stopPlayback(positionS())
    onStop()
  }

  function stopPlayback(atS: number) {
    isPlaying = false
    pausedS = atS
    seekS = undefined
    if (audio !== undefined) stream?.end(earliestStartS(audio.context))
    stream = undefined
    stopFilling()
    cancelWarmUp()
    cancelSuspension()
    cancelSuspension = scope.timeout(() => audio?.context.suspend().catch(() => {}), SUSPEND_AFTER_MS)
    cancelAnimationFrame(frameRequest)
    reportPosition()
  }

  function reportPosition() {
    const latencyS = audio?.context.outputLatency || 0
    onPosition({
      sourceS: positionS((audio?.context.currentTime ?? 0) - latencyS),
      peakDb: isPlaying && graph !== undefined ? graph.peakDb() : [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
    })
  }

  function reportEachFrame() {
    frameRequest = requestAnimationFrame(() => {
      if (!isPlaying) return
      reportPosition()
      reportEachFrame()
    })
  }

  return {
    get isPlaying() {
      return isPlaying
    },
    get changeMs() {
      return changeMs
    },
    async play() {
      if (isPlaying || scope.signal.aborted) return
      isPlaying = true
      cancelSuspension()
      changedAtMs = performance.now()
      if (pausedS >= durationS) pausedS = target.loop.on ? target.loop.startS : 0
      try {
        const { context, graph: graphPromise } = openAudio()
        // Resuming is not awaited, because the promise is pending until a user gesture allows playback.
        context.resume().catch(() => {})
        await graphPromise
      } catch (error) {
        if (scope.signal.aborted) return
        // The audio context cannot be opened without an audio device, or if a chunk cannot be loaded. The next call of `play` tries again.
        audio?.context.close().catch(() => {})
        audio = undefined
        stopPlayback(pausedS)
        onStop()
        throw error
      }
      if (!isPlaying) return
      stopFilling()
      stopFilling = scope.interval(fillStream, FILL_PERIOD_MS)
      cancelWarmUp()
      // A worker that fails is reported by its next render.
      cancelWarmUp = scope.timeout(() => renderClient?.warmUp().catch(() => {}), WARM_UP_AFTER_MS)
      cancelAnimationFrame(frameRequest)
      reportEachFrame()
      await refreshStream().catch(reportFailure)
    },
    pause() {
      if (isPlaying) stopPlayback(positionS())
    },
    seek(toS) {
      const clampedS = Math.min(durationS, Math.max(0, toS))
      changedAtMs = performance.now()
      if (isPlaying) seekS = clampedS
      else pausedS = clampedS
      reportPosition()
      refreshStream().catch(reportFailure)
    },
    apply(changes) {
      target = { ...target, ...changes }
      changedAtMs = performance.now()
      refreshStream().catch(reportFailure)
    },
    setVolume(newVolume) {
      volume = newVolume
      graph?.setVolume(newVolume)
    },
    dispose() {
      if (isPlaying) stopPlayback(positionS())
      scope.dispose()
      renderClient?.terminate()
      if (graph !== undefined) graph.dispose()
      else audio?.context.close().catch(() => {})
    },
  }
}
