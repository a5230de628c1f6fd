import type { Scope } from '../primitives/scope.ts'
import type { PreviewGraph } from './preview-graph.ts'

export interface PreviewAudioDeps {
  readonly sampleRate: number
  readonly volume: number
  readonly scope: Scope
  readonly isPlaying: () => boolean
  /** Receives the monitor's output node when it is created. */
  readonly onOutput: ((context: AudioContext, output: AudioNode) => void) | undefined
}

const SUSPEND_IDLE_CONTEXT_AFTER_MS = 5000

/** The audio context of a preview and the nodes of that context. The first playback opens them. */
export function createPreviewAudio({ sampleRate, volume: initialVolume, scope, isPlaying, onOutput }: PreviewAudioDeps) {
  let currentVolume = initialVolume
  let openedAudio: { readonly context: AudioContext; readonly graph: Promise<PreviewGraph> } | undefined
  let graph: PreviewGraph | undefined
  let cancelSuspension = () => {}
  if (navigator.mediaDevices) scope.listen(navigator.mediaDevices, 'devicechange', resumeContext)
  scope.listen(document, 'visibilitychange', resumeContext)

  async function createGraph(context: AudioContext): Promise<PreviewGraph> {
    // This flag prevents Tone.js from writing its version to the console.
    Object.assign(globalThis, { TONE_SILENCE_LOGGING: true })
    const { createPreviewGraph } = await import('./preview-graph.ts')
    if (scope.signal.aborted) throw new DOMException('the preview was disposed', 'AbortError')
    graph = createPreviewGraph(context, currentVolume)
    onOutput?.(context, graph.output)
    return graph
  }

  function openContextOnce() {
    if (openedAudio !== undefined) return openedAudio
    const context = openContext(sampleRate)
    scope.listen(context, 'statechange', resumeContext)
    openedAudio = { context, graph: createGraph(context) }
    return openedAudio
  }

  /** Resumes a context that the system has suspended: for a call, another audio device or a hidden tab. */
  function resumeContext() {
    const { context } = openedAudio ?? {}
    if (isPlaying() && context !== undefined && context.state !== 'running' && context.state !== 'closed') context.resume().catch(() => {})
  }

  return {
    get context() {
      return openedAudio?.context
    },
    get graph() {
      return graph
    },
    /**
     * Opens and resumes the context. The first call must be in a user gesture. After an error, the next call tries again.
     * @throws if there is no audio device, or a chunk of the page cannot be loaded
     */
    async open() {
      cancelSuspension()
      try {
        const { context, graph: createdGraph } = openContextOnce()
        // The promise of `resume` is not awaited, because it stays pending until a user gesture allows playback.
        context.resume().catch(() => {})
        await createdGraph
      } catch (error) {
        if (!scope.signal.aborted) {
          openedAudio?.context.close().catch(() => {})
          openedAudio = undefined
        }
        throw error
      }
    },
    /** Releases the audio device only after a delay, because resuming the device delays the next playback. */
    suspendLater() {
      cancelSuspension()
      cancelSuspension = scope.timeout(() => openedAudio?.context.suspend().catch(() => {}), SUSPEND_IDLE_CONTEXT_AFTER_MS)
    },
    /** Closes the context. The next call of `open` opens another one. */
    reset() {
      cancelSuspension()
      if (graph !== undefined) graph.dispose()
      else openedAudio?.context.close().catch(() => {})
      openedAudio = undefined
      graph = undefined
    },
    setVolume(newVolume: number) {
      currentVolume = newVolume
      graph?.setVolume(newVolume)
    },
    dispose() {
      if (graph !== undefined) graph.dispose()
      else openedAudio?.context.close().catch(() => {})
    },
  }
}

export type PreviewAudio = ReturnType<typeof createPreviewAudio>

/** The time between scheduling a buffer and its start, beyond the device's latency, in which the audio thread receives it. */
const BUFFER_START_LEAD_SECONDS = 0.005

/** Returns the earliest time, on the clock of the audio context, for which a buffer can be scheduled now and still start on time. */
export const computeEarliestStartS = ({ currentTime, baseLatency }: AudioContext) =>
  currentTime + (baseLatency || 0) + BUFFER_START_LEAD_SECONDS

/** Opens a context at the sound's own rate, so that the sound is not resampled twice, or at the device's rate if the browser refuses the sound's. */
function openContext(sampleRate: number): AudioContext {
  try {
    return new AudioContext({ sampleRate, latencyHint: 'interactive' })
  } catch {
    return new AudioContext({ latencyHint: 'interactive' })
  }
}
