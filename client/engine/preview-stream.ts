import { gainFor } from '../../dsp/levels.ts'
import type { PreviewSource } from './preview-source.ts'

/** Frames of a source, over and over; none where it is not repeated. */
export interface LoopFrames {
  readonly startFrame: number
  readonly endFrame: number
}

/** A source that is heard from some frame on: pieces of it, rendered ahead and scheduled end to end at the rate at which they are. */
export interface PreviewStream {
  readonly source: PreviewSource
  /** Begins in `atS` of the context's time with frame `firstFrame`, which is in the first piece. */
  begin(atS: number, firstFrame: number): void
  /** Renders what is to be heard within the next AHEAD_SECONDS. */
  fill(): Promise<void>
  /** Nothing more is rendered; what is scheduled is heard. */
  freeze(): void
  /** The frame of the source that is heard at a time of the context; with loops unwound into the source. */
  frameAt(timeS: number): number
  /** When the last frame has been heard; Infinity where there is more to come. */
  readonly endS: number
  /** What matches it with another sound. */
  setGain(gain: number): void
  /** Silent FADE_SECONDS after `atS`. */
  end(atS: number): void
}

export const FADE_SECONDS = 0.01
const AHEAD_SECONDS = 3
/** Small at first, since someone waits for it. */
const FIRST_FRAMES = 2 ** 13
const MOST_FRAMES = 2 ** 15
const LEVEL_SECONDS = 0.02
const LATE_SECONDS = 0.002
const STOP_SECONDS = 0.1

/** The loudest sample so far, of all streams with the same settings. */
export interface Loudest {
  peak: number
}

export async function createPreviewStream(
  context: AudioContext,
  output: AudioNode,
  source: PreviewSource,
  { firstFrame, loop, gain, loudest }: { firstFrame: number; loop: LoopFrames | undefined; gain: number; loudest: Loudest },
): Promise<PreviewStream> {
  const { sampleRate } = source
  const fade = new GainNode(context, { gain: 0 })
  const level = new GainNode(context)
  level.connect(fade).connect(output)
  const playing = new Set<AudioBufferSourceNode>()
  let match = gain
  let wanted = gain
  let frozen = false
  let filling = false
  let startS = 0
  let startFrame = firstFrame
  /** Of the source, what is to be rendered next; and how many frames come before it. */
  let next = firstFrame
  let scheduled = 0
  let pieceFrames = FIRST_FRAMES
  const first = await readPiece()

  /** The next piece; it ends where the loop does. */
  async function readPiece(): Promise<{ buffer: AudioBuffer; peak: number } | undefined> {
    const end = loop === undefined ? source.frames : loop.endFrame
    const frames = Math.min(pieceFrames, end - next)
    if (frames <= 0) return undefined
    const channels = await source.read(next, frames)
    pieceFrames = Math.min(MOST_FRAMES, 2 * pieceFrames)
    next += frames
    if (loop !== undefined && next >= loop.endFrame) next = loop.startFrame
    const buffer = new AudioBuffer({ numberOfChannels: channels.length, length: frames, sampleRate })
    let peak = 0
    for (const [channel, samples] of channels.entries()) {
      buffer.copyToChannel(samples, channel)
      for (const sample of samples) peak = Math.max(peak, Math.abs(sample))
    }
    return { buffer, peak }
  }

  const timeOf = (frame: number) => startS + frame / sampleRate

  function schedule({ buffer, peak }: { buffer: AudioBuffer; peak: number }, skipFrames = 0) {
    const node = new AudioBufferSourceNode(context, { buffer })
    node.connect(level)
    node.onended = () => {
      node.disconnect()
      playing.delete(node)
    }
    playing.add(node)
    // What comes too late is heard late, and whole.
    startS += Math.max(0, Math.ceil((context.currentTime + LATE_SECONDS - timeOf(scheduled)) * sampleRate) / sampleRate)
    const at = timeOf(scheduled)
    if (peak > loudest.peak) {
      loudest.peak = peak
      lowerBy(at)
    }
    node.start(at, skipFrames / sampleRate)
    scheduled += buffer.length - skipFrames
  }

  /** What would clip is lowered as the export lowers it, from what is known by then. Pieces come in the order of their times. */
  function lowerBy(atS: number) {
    if (wanted === match * gainFor(loudest.peak)) return
    wanted = match * gainFor(loudest.peak)
    level.gain.setTargetAtTime(wanted, Math.max(context.currentTime, atS - LEVEL_SECONDS), LEVEL_SECONDS / 8)
    level.gain.setValueAtTime(wanted, Math.max(context.currentTime + LEVEL_SECONDS, atS))
  }

  return {
    source,
    begin(atS, frame) {
      startS = atS
      const skipFrames = Math.min(Math.max(0, frame - firstFrame), Math.max(0, (first?.buffer.length ?? 0) - 1))
      startFrame = firstFrame + skipFrames
      loudest.peak = Math.max(loudest.peak, first?.peak ?? 0)
      wanted = match * gainFor(loudest.peak)
      level.gain.value = wanted
      fade.gain.setValueAtTime(0, atS)
      fade.gain.linearRampToValueAtTime(1, atS + FADE_SECONDS)
      if (first !== undefined) schedule(first, skipFrames)
    },
    async fill() {
      if (filling) return
      filling = true
      try {
        while (!frozen && timeOf(scheduled) - context.currentTime < AHEAD_SECONDS) {
          const piece = await readPiece()
          if (piece === undefined) break
          if (!frozen) schedule(piece)
        }
      } finally {
        filling = false
      }
    },
    freeze() {
      frozen = true
    },
    frameAt(timeS) {
      const frame = startFrame + Math.max(0, (timeS - startS) * sampleRate)
      if (loop === undefined || frame < loop.endFrame) return Math.min(frame, source.frames)
      return loop.startFrame + ((frame - loop.startFrame) % (loop.endFrame - loop.startFrame))
    },
    get endS() {
      return loop === undefined && next >= source.frames ? timeOf(source.frames - startFrame) : Number.POSITIVE_INFINITY
    },
    setGain(nextGain) {
      if (match === nextGain) return
      match = nextGain
      level.gain.cancelScheduledValues(0)
      lowerBy(0)
    },
    end(atS) {
      frozen = true
      // From where it is by then: perhaps it has just begun.
      const reached = Math.min(1, Math.max(0, (atS - startS) / FADE_SECONDS))
      fade.gain.cancelScheduledValues(atS)
      if (reached < 1) fade.gain.linearRampToValueAtTime(reached, atS)
      else fade.gain.setValueAtTime(1, atS)
      fade.gain.linearRampToValueAtTime(0, atS + FADE_SECONDS)
      // Long silent by then: to stop too early would click.
      for (const node of playing) node.stop(atS + FADE_SECONDS + STOP_SECONDS)
      const stopped = () => {
        level.disconnect()
        fade.disconnect()
      }
      setTimeout(stopped, 1000 * (atS - context.currentTime + FADE_SECONDS + 2 * STOP_SECONDS))
    },
  }
}
