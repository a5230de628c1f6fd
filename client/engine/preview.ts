import type { LoopRange, MakerSettings, Position } from './engine.ts'
import { createLoudnessMatch, type Heard } from './loudness-match.ts'
import { openContext, soon } from './preview-context.ts'
import { editedSource, originalSource, type PreviewSource } from './preview-source.ts'
import { createPreviewStream, type LoopFrames, type PreviewStream } from './preview-stream.ts'
import { createRenderThread, type RenderThread } from './render-thread.ts'
import type { Sound } from './sound.ts'
import type { PreviewGraph } from './tone.ts'

/** What is heard while one edits: the frames of the export, at the sound's own sampling rate. */
export interface Preview {
  readonly playing: boolean
  /** From the gesture of a person on, or the browser keeps silent until there is one. */
  play(): Promise<void>
  pause(): void
  seek(sourceS: number): void
  /** Heard at once where it plays. */
  apply(wanted: Partial<PreviewWish>): void
  setVolume(volume: number): void
  /** From the last change to the moment for which its sound was scheduled. */
  readonly changeMs: number
  dispose(): void
}

export interface PreviewWish {
  readonly settings: MakerSettings
  readonly heard: 'edited' | 'original'
  readonly loop: LoopRange
}

export interface PreviewDeps {
  readonly sound: Sound
  readonly wish: PreviewWish
  readonly volume: number
  readonly onPosition: (position: Position) => void
  /** It stopped or went on by itself. */
  readonly onPlaying: () => void
  /** Gets what is heard, once there is something. */
  readonly tap?: ((context: AudioContext, output: AudioNode) => void) | undefined
}

const FILL_EVERY_MS = 100

export function createPreview({ sound, wish, volume, onPosition, onPlaying, tap }: PreviewDeps): Preview {
  let wanted = wish
  let loud = volume
  let playing = false
  let disposed = false
  /** Where it stands, or begins next. */
  let restS = 0
  /** A seek that is not heard yet. */
  let sought: number | undefined
  let audio: { readonly context: AudioContext; readonly graph: Promise<PreviewGraph> } | undefined
  let graph: PreviewGraph | undefined
  let thread: RenderThread | undefined
  let edited: (Heard & { readonly settings: MakerSettings }) | undefined
  const original: Heard = { source: originalSource(sound), loudest: { peak: 0 } }
  const match = createLoudnessMatch(original)
  let stream: PreviewStream | undefined
  /** Both sounds are heard equally loud as soon as somebody compares them. */
  let compared = false
  let changedAtMs = 0
  let changeMs = 0
  let switching = false
  let again = false
  let filling: ReturnType<typeof setInterval> | undefined
  let frameRequest = 0
  const listening = new AbortController()

  const durationS = sound.frames / sound.sampleRate
  const sourceS = (each: PreviewStream, timeS: number) => Math.min(durationS, (each.frameAt(timeS) * each.source.rate) / sound.sampleRate)
  const positionS = (timeS = audio?.context.currentTime ?? 0) =>
    sought ?? (playing && stream !== undefined ? sourceS(stream, timeS) : restS)

  function openAudio() {
    if (audio !== undefined) return audio
    const context = openContext(sound.sampleRate)
    context.addEventListener('statechange', wakeUp)
    navigator.mediaDevices?.addEventListener('devicechange', wakeUp, { signal: listening.signal })
    document.addEventListener('visibilitychange', wakeUp, { signal: listening.signal })
    // The package has its say in the console otherwise.
    Object.assign(globalThis, { TONE_SILENCE_LOGGING: true })
    const opened = import('./tone.ts').then(({ createPreviewGraph }) => {
      if (disposed) throw new DOMException('the preview was disposed of', 'AbortError')
      graph = createPreviewGraph(context, loud)
      tap?.(context, graph.output)
      return graph
    })
    audio = { context, graph: opened }
    return audio
  }

  /** After a call, another device or a hidden tab the system may have stopped the sound: its time stood still meanwhile. */
  function wakeUp() {
    if (playing && audio !== undefined && audio.context.state !== 'running' && audio.context.state !== 'closed')
      audio.context.resume().catch(() => {})
  }

  async function sourceFor({ settings, heard }: PreviewWish): Promise<Heard> {
    if (heard === 'original' && !compared) compared = true
    if (edited?.settings !== settings && (heard === 'edited' || compared)) {
      // What plays is of the plan before.
      if (stream !== undefined && stream.source !== original.source) stream.freeze()
      thread ??= createRenderThread()
      const source = await editedSource(thread, sound, settings)
      edited = { settings, source, loudest: { peak: 0 } }
    }
    if (heard === 'original' || edited === undefined) {
      if (edited !== undefined) await match.measure(edited)
      return original
    }
    return edited
  }

  function loopOf({ rate, dryFrames }: PreviewSource): LoopFrames | undefined {
    const { on, startS, endS } = wanted.loop
    const [startFrame, endFrame] = [startS, endS].map((each) => Math.min(dryFrames, Math.round((each * sound.sampleRate) / rate))) as [
      number,
      number,
    ]
    return on && endFrame > startFrame ? { startFrame, endFrame } : undefined
  }

  /** Hears what is wanted now from where the sound is by then. Changes that come meanwhile are made together. */
  async function refresh(): Promise<void> {
    if (!playing || graph === undefined || audio === undefined) return
    again = true
    if (switching) return
    switching = true
    try {
      while (again && playing) {
        again = false
        await change(audio.context, graph)
      }
    } finally {
      switching = false
    }
  }

  async function change(context: AudioContext, { input }: PreviewGraph): Promise<void> {
    const wish = wanted
    const since = changedAtMs
    const { source, loudest } = await sourceFor(wish)
    const loop = loopOf(source)
    const target = sought
    const frameOf = (seconds: number) => {
      const frame = Math.round((seconds * sound.sampleRate) / source.rate)
      return loop !== undefined && (frame < loop.startFrame || frame >= loop.endFrame) ? loop.startFrame : Math.min(frame, source.frames)
    }
    const firstFrame = frameOf(positionS())
    const next = await createPreviewStream(context, input, source, { firstFrame, loop, gain: match.gainOf(source), loudest })
    if (!playing || disposed) return
    const atS = Math.ceil(soon(context) * sound.sampleRate) / sound.sampleRate
    // Meanwhile it went on.
    next.begin(atS, target === undefined && stream !== undefined ? frameOf(sourceS(stream, atS)) : firstFrame)
    stream?.end(atS)
    stream = next
    if (sought === target) sought = undefined
    changeMs = performance.now() - since + 1000 * (atS - context.currentTime)
    next.fill().catch(fail)
    // A change of settings is heard at once; how loud it is against the original is known later.
    if (compared && edited !== undefined && !again)
      match.measure(edited).then(
        () => stream?.setGain(match.gainOf(stream.source)),
        () => {},
      )
  }

  function fill() {
    if (stream === undefined || audio === undefined) return
    if (audio.context.currentTime >= stream.endS) {
      stop(durationS)
      onPlaying()
    } else {
      stream.setGain(match.gainOf(stream.source))
      stream.fill().catch(fail)
    }
  }

  /** Without its worker nothing can be heard; the next play has a new one. */
  function fail() {
    if (disposed) return
    thread?.terminate()
    thread = undefined
    edited = undefined
    if (playing) stop(positionS())
    onPlaying()
  }

  function stop(atS: number) {
    playing = false
    restS = atS
    sought = undefined
    if (audio !== undefined) stream?.end(soon(audio.context))
    stream = undefined
    clearInterval(filling)
    cancelAnimationFrame(frameRequest)
    tell()
  }

  function tell() {
    const latencyS = audio?.context.outputLatency || 0
    onPosition({
      sourceS: positionS((audio?.context.currentTime ?? 0) - latencyS),
      peakDb: playing && graph !== undefined ? graph.peakDb() : [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
    })
  }

  function tellEachFrame() {
    frameRequest = requestAnimationFrame(() => {
      if (!playing) return
      tell()
      tellEachFrame()
    })
  }

  return {
    get playing() {
      return playing
    },
    get changeMs() {
      return changeMs
    },
    async play() {
      if (playing || disposed) return
      playing = true
      changedAtMs = performance.now()
      if (restS >= durationS) restS = wanted.loop.on ? wanted.loop.startS : 0
      try {
        const { context, graph: opening } = openAudio()
        // Until a gesture allows it this is not answered.
        context.resume().catch(() => {})
        await opening
      } catch (error) {
        if (disposed) return
        // There is no device, or its program could not be loaded: the next play tries again.
        audio?.context.close().catch(() => {})
        audio = undefined
        stop(restS)
        onPlaying()
        throw error
      }
      if (!playing) return
      clearInterval(filling)
      filling = setInterval(fill, FILL_EVERY_MS)
      cancelAnimationFrame(frameRequest)
      tellEachFrame()
      await refresh().catch(fail)
    },
    pause() {
      if (playing) stop(positionS())
    },
    seek(toS) {
      const at = Math.min(durationS, Math.max(0, toS))
      changedAtMs = performance.now()
      if (playing) sought = at
      else restS = at
      tell()
      refresh().catch(fail)
    },
    apply(changes) {
      wanted = { ...wanted, ...changes }
      changedAtMs = performance.now()
      refresh().catch(fail)
    },
    setVolume(next) {
      loud = next
      graph?.setVolume(next)
    },
    dispose() {
      if (playing) stop(positionS())
      disposed = true
      listening.abort()
      thread?.terminate()
      if (graph !== undefined) graph.dispose()
      else audio?.context.close().catch(() => {})
    },
  }
}
