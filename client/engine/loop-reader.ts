import type { PreviewSource } from './preview-source.ts'
import type { Channels } from './workers/calls.ts'

/** The range of frames of a source that is played repeatedly. */
export interface LoopFrames {
  readonly startFrame: number
  readonly endFrame: number
}

/** The length of a crossfade in seconds, short enough to go unnoticed and long enough not to click. */
export const FADE_SECONDS = 0.01

/** A range of frames over which the loop is crossfaded with other frames of the source. */
interface Crossfade {
  readonly firstFrame: number
  readonly direction: 'in' | 'out'
  /** Reads the frames of the source that the loop is crossfaded with; `undefined` if silence is used instead. */
  readonly readOtherFrames: (() => Promise<Channels>) | undefined
}

/**
 * Returns a function that reads frames of a loop with a crossfade at the wrap. The loop keeps its length: its end fades into the frames
 * before its start, or, if there are not enough of them, the frames after its end fade into its start. A loop over the whole source fades
 * out and in. The two gains add up to 1, so that no step between samples is larger than the steps in the source, except for the slope of
 * the fade.
 *
 * `isRepetition` is true if the frames are played after a wrap. A read must not cross the loop's end.
 */
export function createLoopReader(
  source: PreviewSource,
  { startFrame, endFrame }: LoopFrames,
): (firstFrame: number, frames: number, isRepetition: boolean) => Promise<Channels> {
  const fadeFrames = Math.min(Math.round(FADE_SECONDS * source.sampleRate), Math.floor((endFrame - startFrame) / 2))
  const hasFramesBefore = startFrame >= fadeFrames
  const hasFramesAfter = endFrame + fadeFrames <= source.frames
  const fadeOut: Crossfade = {
    firstFrame: endFrame - fadeFrames,
    direction: 'out',
    readOtherFrames: hasFramesBefore ? createCachedReader(startFrame - fadeFrames) : undefined,
  }
  const fadeIn: Crossfade = {
    firstFrame: startFrame,
    direction: 'in',
    readOtherFrames: hasFramesAfter ? createCachedReader(endFrame) : undefined,
  }
  const crossfades = hasFramesBefore ? [fadeOut] : hasFramesAfter ? [fadeIn] : [fadeOut, fadeIn]

  /** Returns a function that reads `fadeFrames` frames on its first call, and returns the same frames on later calls. */
  function createCachedReader(firstFrame: number) {
    let sourceChannels: Promise<Channels> | undefined
    return () => {
      sourceChannels ??= source.read(firstFrame, fadeFrames)
      return sourceChannels
    }
  }

  return async (firstFrame, frameCount, isRepetition) => {
    const touchedFades = crossfades.filter(
      (fade) =>
        (fade.direction === 'out' || isRepetition) &&
        firstFrame < fade.firstFrame + fadeFrames &&
        firstFrame + frameCount > fade.firstFrame,
    )
    // All reads are requested before the first one is awaited, because the source may be replaced in the meantime.
    const [sourceChannels, ...crossfadePartners] = await Promise.all([
      source.read(firstFrame, frameCount),
      ...touchedFades.map(({ readOtherFrames }) => readOtherFrames?.()),
    ])
    for (const [index, fade] of touchedFades.entries())
      for (const [channel, samples] of sourceChannels.entries())
        crossfadeInto(samples, fade.firstFrame - firstFrame, fade.direction, crossfadePartners[index]?.[channel], fadeFrames)
    return sourceChannels
  }
}

/** Crossfades `samples` with `partnerSamples` over `fadeFrames` from index `startFrame`, which may be outside of `samples`. */
function crossfadeInto(
  samples: Float32Array,
  startFrame: number,
  direction: Crossfade['direction'],
  partnerSamples: Float32Array | undefined,
  fadeFrames: number,
): void {
  const endFrame = Math.min(samples.length, startFrame + fadeFrames)
  for (let index = Math.max(0, startFrame); index < endFrame; index++) {
    const share = (index - startFrame + 0.5) / fadeFrames
    const gain = direction === 'in' ? share : 1 - share
    samples[index] = gain * (samples[index] as number) + (1 - gain) * (partnerSamples?.[index - startFrame] ?? 0)
  }
}
