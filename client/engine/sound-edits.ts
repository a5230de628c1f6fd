import { sinPi } from '../../dsp/elementary.ts'
import type { Fade, FadeShape, FrameRange, LoadedSound, SoundEdits } from './engine.ts'
import type { Sound } from './sound.ts'

export const NO_FADE: Fade = { seconds: 0, shape: 'equal-power' }
export const NO_EDITS: SoundEdits = { range: undefined, fadeIn: NO_FADE, fadeOut: NO_FADE }

export const FADE_SHAPES: readonly FadeShape[] = ['linear', 'equal-power', 's-curve']

/** The length in seconds of the fade at an end of the sound where a part of the file was removed. Without the fade, the cut would click. */
const CUT_FADE_S = 0.003

/** The curves of a fade: each returns the gain for a position in the fade. Gain and position are from 0 to 1. */
const fadeGains: Record<FadeShape, (share: number) => number> = {
  linear: (share) => share,
  'equal-power': (share) => sinPi(share / 2),
  's-curve': (share) => share * share * (3 - 2 * share),
}

/** Returns the kept range of a file of `frames`. It has at least one frame if the file has one. */
export function keptRange({ range }: Pick<SoundEdits, 'range'>, frames: number): FrameRange {
  const startFrame = Math.min(Math.max(0, frames - 1), Math.max(0, Math.floor(range?.startFrame ?? 0)))
  return { startFrame, endFrame: Math.min(frames, Math.max(Math.min(frames, startFrame + 1), Math.ceil(range?.endFrame ?? frames))) }
}

/** Returns a function that computes the gain of each frame of the edited sound; `undefined` if it is 1 everywhere. */
function createFadeGain(edits: SoundEdits, { sampleRate, frames }: Pick<Sound, 'sampleRate' | 'frames'>) {
  const { startFrame, endFrame } = keptRange(edits, frames)
  const length = endFrame - startFrame
  const fadeOf = (fade: Fade, isCut: boolean) => {
    const seconds = isCut ? Math.max(fade.seconds, CUT_FADE_S) : fade.seconds
    return { frames: Math.min(length, Math.round(seconds * sampleRate)), gainOf: fadeGains[fade.seconds > 0 ? fade.shape : 's-curve'] }
  }
  const fadeIn = fadeOf(edits.fadeIn, startFrame > 0)
  const fadeOut = fadeOf(edits.fadeOut, endFrame < frames)
  if (fadeIn.frames === 0 && fadeOut.frames === 0) return undefined
  return {
    /** From this frame on, the gain is 1, until `outFrame`. */
    inFrame: fadeIn.frames,
    outFrame: length - fadeOut.frames,
    at(frame: number) {
      const gain = frame < fadeIn.frames ? fadeIn.gainOf((frame + 0.5) / fadeIn.frames) : 1
      return frame < length - fadeOut.frames ? gain : gain * fadeOut.gainOf((length - frame - 0.5) / fadeOut.frames)
    },
  }
}

/**
 * Returns the kept range of `sound`, faded in and out. The samples of a frame do not depend on the range in which the frame is read. The result reads
 * `sound`, which the caller disposes.
 */
export function editSound(sound: Sound, edits: SoundEdits): Sound {
  const { startFrame, endFrame } = keptRange(edits, sound.frames)
  const frames = endFrame - startFrame
  const fadeGain = createFadeGain(edits, sound)
  if (frames === sound.frames && fadeGain === undefined) return sound

  function applyFades(firstFrame: number, targets: readonly Float32Array[]) {
    if (fadeGain === undefined) return
    const end = firstFrame + (targets[0]?.length ?? 0)
    for (let frame = firstFrame; frame < end; frame++) {
      if (frame >= fadeGain.inFrame && frame < fadeGain.outFrame) frame = fadeGain.outFrame
      if (frame >= end) return
      const gain = fadeGain.at(frame)
      for (const samples of targets) samples[frame - firstFrame] = gain * (samples[frame - firstFrame] as number)
    }
  }

  return {
    ...sound,
    frames,
    read(firstFrame, targets) {
      if (firstFrame < 0 || firstFrame + (targets[0]?.length ?? 0) > frames)
        throw new RangeError(`frame ${firstFrame} and the following are not all within the edited sound`)
      const reading = sound.read(startFrame + firstFrame, targets)
      return reading === undefined ? applyFades(firstFrame, targets) : reading.then(() => applyFades(firstFrame, targets))
    },
    dispose() {},
  }
}

/** Returns the length and the waveform of the edited sound. @param details the details of the whole file */
export function editedLength(
  { frames, sampleRate, peaks }: Pick<LoadedSound, 'frames' | 'sampleRate' | 'peaks'>,
  edits: SoundEdits,
): Pick<LoadedSound, 'frames' | 'durationS' | 'peaks'> {
  const { startFrame, endFrame } = keptRange(edits, frames)
  const { framesPerPeak } = peaks
  const values = peaks.values.slice(2 * Math.floor(startFrame / framesPerPeak), 2 * Math.ceil(endFrame / framesPerPeak))
  const fadeGain = createFadeGain(edits, { sampleRate, frames })
  const length = endFrame - startFrame
  if (fadeGain !== undefined)
    for (let index = 0; index < values.length; index++)
      values[index] =
        fadeGain.at(Math.min(length - 1, Math.floor((Math.floor(index / 2) + 0.5) * framesPerPeak))) * (values[index] as number)
  return { frames: length, durationS: length / sampleRate, peaks: { framesPerPeak, values } }
}
