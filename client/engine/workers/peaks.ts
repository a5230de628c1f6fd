import type { Peaks } from '../engine.ts'

const FIRST_FRAMES_PER_PEAK = 256
/** The maximum number of peaks: more than four for each pixel of the widest screens. They occupy 1.6 MB. */
export const MAX_PEAKS = 200_000

/**
 * Measures the waveform of a sound of any length, chunk by chunk. At first, each peak covers 256 frames. Whenever there are MAX_PEAKS
 * peaks, that number of frames is doubled.
 */
export function createPeakMeter() {
  let framesPerPeak = FIRST_FRAMES_PER_PEAK
  let peakCount = 0
  let values = new Float32Array(2 ** 12)
  let framesInPeak = 0
  let lowestSample = Number.POSITIVE_INFINITY
  let highestSample = Number.NEGATIVE_INFINITY

  function endPeak() {
    if (2 * peakCount === values.length) values = resizeArray(values, 4 * peakCount)
    values[2 * peakCount] = clampSample(lowestSample)
    values[2 * peakCount + 1] = clampSample(highestSample)
    peakCount += 1
    framesInPeak = 0
    lowestSample = Number.POSITIVE_INFINITY
    highestSample = Number.NEGATIVE_INFINITY
    if (peakCount === MAX_PEAKS) mergePeaks()
  }

  function mergePeaks() {
    for (let peak = 0; peak < peakCount / 2; peak++) {
      values[2 * peak] = Math.min(values[4 * peak] ?? 0, values[4 * peak + 2] ?? 0)
      values[2 * peak + 1] = Math.max(values[4 * peak + 1] ?? 0, values[4 * peak + 3] ?? 0)
    }
    peakCount /= 2
    framesPerPeak *= 2
  }

  return {
    /** Adds the next frames of the sound, one array for each channel. */
    add(channels: readonly Float32Array[]) {
      const frames = channels[0]?.length ?? 0
      for (let startFrame = 0; startFrame < frames; ) {
        const to = Math.min(frames, startFrame + framesPerPeak - framesInPeak)
        // Local copies of the captured variables are ten times faster to update.
        let [lowest, highest] = [lowestSample, highestSample]
        for (const samples of channels) {
          for (let frame = startFrame; frame < to; frame++) {
            const sample = samples[frame] ?? 0
            if (sample < lowest) lowest = sample
            if (sample > highest) highest = sample
          }
        }
        lowestSample = lowest
        highestSample = highest
        framesInPeak += to - startFrame
        startFrame = to
        if (framesInPeak === framesPerPeak) endPeak()
      }
    },
    /** Returns the waveform of all frames added so far. */
    peaks(): Peaks {
      const lastPeak = framesInPeak > 0 ? [clampSample(lowestSample), clampSample(highestSample)] : []
      const result = resizeArray(values.subarray(0, 2 * peakCount), 2 * peakCount + lastPeak.length)
      result.set(lastPeak, 2 * peakCount)
      return { framesPerPeak, values: result }
    },
  }
}

export type PeakMeter = ReturnType<typeof createPeakMeter>

/** Limits a sample to full scale. NaN and infinities of damaged files count as silence. */
const clampSample = (sample: number) => (Number.isFinite(sample) ? Math.max(-1, Math.min(1, sample)) : 0)

function resizeArray(values: Float32Array, length: number): Float32Array<ArrayBuffer> {
  const copy = new Float32Array(length)
  copy.set(values.subarray(0, length))
  return copy
}
