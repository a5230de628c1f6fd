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

/** Returns the range that the edits keep of a file of `frameCount` frames. It has at least one frame if the file has one. */
export function findKeptRange({ range }: Pick<SoundEdits, 'range'>, frameCount: number): FrameRange {
  const startFrame = Math.min(Math.max(0, frameCount - 1), Math.max(0, Math.floor(range?.startFrame ?? 0)))
  return {
    startFrame,
    endFrame: Math.min(frameCount, Math.max(Math.min(frameCount, startFrame + 1), Math.ceil(range?.endFrame ?? frameCount))),
  }
}

/** Returns a function that computes the gain of each frame of the edited sound; `undefined` if it is 1 everywhere. */
function createFadeGain(soundEdits: SoundEdits, { sampleRate, frames }: Pick<Sound, 'sampleRate' | 'frames'>) {
  const { startFrame, endFrame } = findKeptRange(soundEdits, frames)
  const lengthFrames = endFrame - startFrame
  const createFade = (fade: Fade, isEdgeCut: boolean) => {
    const fadeSeconds = isEdgeCut ? Math.max(fade.seconds, CUT_FADE_S) : fade.seconds
    return {
      frames: Math.min(lengthFrames, Math.round(fadeSeconds * sampleRate)),
      gainOf: fadeGains[fade.seconds > 0 ? fade.shape : 's-curve'],
    }
  }
  const fadeIn = createFade(soundEdits.fadeIn, startFrame > 0)
  const fadeOut = createFade(soundEdits.fadeOut, endFrame < frames)
  if (fadeIn.frames === 0 && fadeOut.frames === 0) return undefined
  return {
    /** The frame at which the fade-in ends. From here to `outFrame`, where the fade-out begins, the gain is 1. */
    inFrame: fadeIn.frames,
    outFrame: lengthFrames - fadeOut.frames,
    at(frameIndex: number) {
      const gain = frameIndex < fadeIn.frames ? fadeIn.gainOf((frameIndex + 0.5) / fadeIn.frames) : 1
      return frameIndex < lengthFrames - fadeOut.frames ? gain : gain * fadeOut.gainOf((lengthFrames - frameIndex - 0.5) / fadeOut.frames)
    },
  }
}

/**
 * Returns the kept range of `sound`, faded in and out. The samples of a frame do not depend on the range in which the frame is read. The result reads
 * `sound`, which the caller disposes.
 */
export function editSound(sound: Sound, soundEdits: SoundEdits): Sound {
  const { startFrame, endFrame } = findKeptRange(soundEdits, sound.frames)
  const keptFrames = endFrame - startFrame
  const fadeGain = createFadeGain(soundEdits, sound)
  if (keptFrames === sound.frames && fadeGain === undefined) return sound

  function applyFades(firstFrame: number, targetChannels: readonly Float32Array[]) {
    if (fadeGain === undefined) return
    const endFrameOfTargets = firstFrame + (targetChannels[0]?.length ?? 0)
    for (let frameIndex = firstFrame; frameIndex < endFrameOfTargets; frameIndex++) {
      if (frameIndex >= fadeGain.inFrame && frameIndex < fadeGain.outFrame) frameIndex = fadeGain.outFrame
      if (frameIndex >= endFrameOfTargets) return
      const gain = fadeGain.at(frameIndex)
      for (const samples of targetChannels) samples[frameIndex - firstFrame] = gain * (samples[frameIndex - firstFrame] as number)
    }
  }

  return {
    ...sound,
    frames: keptFrames,
    read(firstFrame, targets) {
      if (firstFrame < 0 || firstFrame + (targets[0]?.length ?? 0) > keptFrames)
        throw new RangeError(`frame ${firstFrame} and the following are not all within the edited sound`)
      const reading = sound.read(startFrame + firstFrame, targets)
      return reading === undefined ? applyFades(firstFrame, targets) : reading.then(() => applyFades(firstFrame, targets))
    },
    dispose() {},
  }
}

/** Returns the length and the waveform of the edited sound. @param details the details of the whole file */
export function computeEditedLength(
  { frames, sampleRate, peaks }: Pick<LoadedSound, 'frames' | 'sampleRate' | 'peaks'>,
  soundEdits: SoundEdits,
): Pick<LoadedSound, 'frames' | 'durationS' | 'peaks'> {
  const { startFrame, endFrame } = findKeptRange(soundEdits, frames)
  const { framesPerPeak } = peaks
  const peakValues = peaks.values.slice(2 * Math.floor(startFrame / framesPerPeak), 2 * Math.ceil(endFrame / framesPerPeak))
  const fadeGain = createFadeGain(soundEdits, { sampleRate, frames })
  const lengthFrames = endFrame - startFrame
  if (fadeGain !== undefined)
    for (let index = 0; index < peakValues.length; index++)
      peakValues[index] =
        fadeGain.at(Math.min(lengthFrames - 1, Math.floor((Math.floor(index / 2) + 0.5) * framesPerPeak))) * (peakValues[index] as number)
  return { frames: lengthFrames, durationS: lengthFrames / sampleRate, peaks: { framesPerPeak, values: peakValues } }
}
