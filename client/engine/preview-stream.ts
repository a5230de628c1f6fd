import { computeGainForPeak } from '../../dsp/levels.ts'
import type { Scope } from '../primitives/scope.ts'
import { createLoopReader, FADE_SECONDS, type LoopFrames } from './loop-reader.ts'
import type { PreviewSource } from './preview-source.ts'

/** Plays a source from some frame on: buffers are rendered ahead of time and scheduled end to end. */
export interface PreviewStream {
  readonly source: PreviewSource
  /** Starts playback at the context's time `atS` with the frame `firstFrame`, which must be in the first buffer. */
  start(atS: number, firstFrame: number): void
  /** Renders and schedules the sound of the next RENDER_AHEAD_SECONDS. */
  fill(): Promise<void>
  /** Stops rendering. Buffers that are already scheduled are played. */
  stopRendering(): void
  /** Returns the frame of the source that is played at a time of the context. */
  findFrameAt(timeS: number): number
  /** The time of the audio context at which the last frame has been played; Infinity until that frame is scheduled. */
  readonly endTimeS: number
  /** Sets the gain that makes the stream as loud as the sound it is compared with. */
  setGain(gain: number): void
  /** Fades the sound out from the time `atS` within FADE_SECONDS, then releases the nodes. */
  end(atS: number): void
}

const RENDER_AHEAD_SECONDS = 3
/** The first buffer is small, so that playback starts soon. */
const FIRST_BUFFER_FRAMES = 2 ** 13
const MAX_BUFFER_FRAMES = 2 ** 15
const LEVEL_RAMP_SECONDS = 0.02
const LATE_START_MARGIN_SECONDS = 0.002
const STOP_MARGIN_SECONDS = 0.1

/** The loudest sample rendered so far with the same settings, shared by all streams of a source. */
export interface RenderedPeak {
  peak: number
}

export interface PreviewStreamOptions {
  readonly firstFrame: number
  /** The repeated range; `undefined` without repetition. */
  readonly loop: LoopFrames | undefined
  readonly gain: number
  readonly peakSoFar: RenderedPeak
  /** The scope that owns the timer by which the nodes are released. */
  readonly scope: Scope
}

export async function createPreviewStream(
  context: AudioContext,
  outputNode: AudioNode,
  source: PreviewSource,
  { firstFrame, loop, gain, peakSoFar, scope }: PreviewStreamOptions,
): Promise<PreviewStream> {
  const { sampleRate } = source
  const fadeNode = new GainNode(context, { gain: 0 })
  const levelNode = new GainNode(context)
  levelNode.connect(fadeNode).connect(outputNode)
  const playingNodes = new Set<AudioBufferSourceNode>()
  let matchGain = gain
  let targetGain = gain
  let isRenderingStopped = false
  let isFillRunning = false
  let streamStartS = 0
  let startFrame = firstFrame
  /** The frame of the source that is rendered next. */
  let nextFrame = firstFrame
  /** Whether the loop has wrapped before `nextFrame`. */
  let hasLoopWrapped = false
  let scheduledFrames = 0
  let bufferFrames = FIRST_BUFFER_FRAMES
  const readLoop = loop && createLoopReader(source, loop)
  const firstBuffer = await renderNextBuffer()

  /** Renders the next buffer, which ends at the loop's end at the latest. Undefined at the end of the source. */
  async function renderNextBuffer(): Promise<{ buffer: AudioBuffer; peak: number } | undefined> {
    const endFrame = loop === undefined ? source.frames : loop.endFrame
    const frameCount = Math.min(bufferFrames, endFrame - nextFrame)
    if (frameCount <= 0) return undefined
    const channelSamples = await (readLoop === undefined
      ? source.read(nextFrame, frameCount)
      : readLoop(nextFrame, frameCount, hasLoopWrapped))
    bufferFrames = Math.min(MAX_BUFFER_FRAMES, 2 * bufferFrames)
    nextFrame += frameCount
    if (loop !== undefined && nextFrame >= loop.endFrame) {
      nextFrame = loop.startFrame
      hasLoopWrapped = true
    }
    const audioBuffer = new AudioBuffer({ numberOfChannels: channelSamples.length, length: frameCount, sampleRate })
    let peakLevel = 0
    for (const [channel, samples] of channelSamples.entries()) {
      audioBuffer.copyToChannel(samples, channel)
      for (const sample of samples) peakLevel = Math.max(peakLevel, Math.abs(sample))
    }
    return { buffer: audioBuffer, peak: peakLevel }
  }

  const computeTimeAfter = (frames: number) => streamStartS + frames / sampleRate

  function scheduleBuffer({ buffer, peak }: { buffer: AudioBuffer; peak: number }, skipFrames = 0) {
    const node = new AudioBufferSourceNode(context, { buffer })
    node.connect(levelNode)
    node.onended = () => {
      node.disconnect()
      playingNodes.delete(node)
    }
    playingNodes.add(node)
    // If a buffer is late, the whole stream is delayed, so that it loses no frames.
    streamStartS += Math.max(
      0,
      Math.ceil((context.currentTime + LATE_START_MARGIN_SECONDS - computeTimeAfter(scheduledFrames)) * sampleRate) / sampleRate,
    )
    const bufferStartS = computeTimeAfter(scheduledFrames)
    if (peak > peakSoFar.peak) {
      peakSoFar.peak = peak
      rampLevel(bufferStartS)
    }
    node.start(bufferStartS, skipFrames / sampleRate)
    scheduledFrames += buffer.length - skipFrames
  }

  /** Lowers the level before `bufferStartS` so that the loudest known sample does not clip. Buffers are scheduled in the order of their times. */
  function rampLevel(bufferStartS: number) {
    if (targetGain === matchGain * computeGainForPeak(peakSoFar.peak)) return
    targetGain = matchGain * computeGainForPeak(peakSoFar.peak)
    levelNode.gain.setTargetAtTime(targetGain, Math.max(context.currentTime, bufferStartS - LEVEL_RAMP_SECONDS), LEVEL_RAMP_SECONDS / 8)
    levelNode.gain.setValueAtTime(targetGain, Math.max(context.currentTime + LEVEL_RAMP_SECONDS, bufferStartS))
  }

  return {
    source,
    start(playbackStartS, soundFrame) {
      streamStartS = playbackStartS
      const skipFrames = Math.min(Math.max(0, soundFrame - firstFrame), Math.max(0, (firstBuffer?.buffer.length ?? 0) - 1))
      startFrame = firstFrame + skipFrames
      peakSoFar.peak = Math.max(peakSoFar.peak, firstBuffer?.peak ?? 0)
      targetGain = matchGain * computeGainForPeak(peakSoFar.peak)
      levelNode.gain.value = targetGain
      fadeNode.gain.setValueAtTime(0, playbackStartS)
      fadeNode.gain.linearRampToValueAtTime(1, playbackStartS + FADE_SECONDS)
      if (firstBuffer !== undefined) scheduleBuffer(firstBuffer, skipFrames)
    },
    async fill() {
      if (isFillRunning) return
      isFillRunning = true
      try {
        while (!isRenderingStopped && computeTimeAfter(scheduledFrames) - context.currentTime < RENDER_AHEAD_SECONDS) {
          const nextBuffer = await renderNextBuffer()
          if (nextBuffer === undefined) break
          if (!isRenderingStopped) scheduleBuffer(nextBuffer)
        }
      } finally {
        isFillRunning = false
      }
    },
    stopRendering() {
      isRenderingStopped = true
    },
    findFrameAt(timeS) {
      const frame = startFrame + Math.max(0, (timeS - streamStartS) * sampleRate)
      if (loop === undefined || frame < loop.endFrame) return Math.min(frame, source.frames)
      return loop.startFrame + ((frame - loop.startFrame) % (loop.endFrame - loop.startFrame))
    },
    get endTimeS() {
      return loop === undefined && nextFrame >= source.frames ? computeTimeAfter(source.frames - startFrame) : Number.POSITIVE_INFINITY
    },
    setGain(nextGain) {
      if (matchGain === nextGain) return
      matchGain = nextGain
      levelNode.gain.cancelScheduledValues(0)
      rampLevel(0)
    },
    end(fadeOutStartS) {
      isRenderingStopped = true
      // The start value of the fade-out is computed from the fade-in, because the fade-in may not be complete at `fadeOutStartS`.
      const reachedShare = Math.min(1, Math.max(0, (fadeOutStartS - streamStartS) / FADE_SECONDS))
      fadeNode.gain.cancelScheduledValues(fadeOutStartS)
      if (reachedShare < 1) fadeNode.gain.linearRampToValueAtTime(reachedShare, fadeOutStartS)
      else fadeNode.gain.setValueAtTime(1, fadeOutStartS)
      fadeNode.gain.linearRampToValueAtTime(0, fadeOutStartS + FADE_SECONDS)
      // The nodes are stopped a little after the fade: stopping them before the fade is complete would click.
      for (const node of playingNodes) node.stop(fadeOutStartS + FADE_SECONDS + STOP_MARGIN_SECONDS)
      const releaseNodes = () => {
        levelNode.disconnect()
        fadeNode.disconnect()
      }
      scope.timeout(releaseNodes, 1000 * (fadeOutStartS - context.currentTime + FADE_SECONDS + 2 * STOP_MARGIN_SECONDS))
    },
  }
}
