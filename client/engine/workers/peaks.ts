import type { Peaks } from '../engine.ts'

const INITIAL_FRAMES_PER_PEAK = 256
/** The maximum number of peaks: more than four for each pixel of the widest screens. They occupy 1.6 MB. */
export const MAX_PEAKS = 200_000

/**
 * Measures the waveform of a sound of any length, chunk by chunk. At first, each peak covers 256 frames. Whenever there are MAX_PEAKS
 * peaks, that number of frames is doubled.
 */
export function createPeakMeter() {
  let framesPerPeak = INITIAL_FRAMES_PER_PEAK
  let peakCount = 0
  let peakValues = new Float32Array(2 ** 12)
  let framesInPeak = 0
  let lowestSample = Number.POSITIVE_INFINITY
  let highestSample = Number.NEGATIVE_INFINITY

  function endPeak() {
    if (2 * peakCount === peakValues.length) peakValues = resizeArray(peakValues, 4 * peakCount)
    peakValues[2 * peakCount] = clampSample(lowestSample)
    peakValues[2 * peakCount + 1] = clampSample(highestSample)
    peakCount += 1
    framesInPeak = 0
    lowestSample = Number.POSITIVE_INFINITY
    highestSample = Number.NEGATIVE_INFINITY
    if (peakCount === MAX_PEAKS) mergePeaks()
  }

  function mergePeaks() {
    for (let peak = 0; peak < peakCount / 2; peak++) {
      peakValues[2 * peak] = Math.min(peakValues[4 * peak] ?? 0, peakValues[4 * peak + 2] ?? 0)
      peakValues[2 * peak + 1] = Math.max(peakValues[4 * peak + 1] ?? 0, peakValues[4 * peak + 3] ?? 0)
    }
    peakCount /= 2
    framesPerPeak *= 2
  }

  return {
    /** Adds the next frames of the sound, one array for each channel. */
    add(channelSamples: readonly Float32Array[]) {
      const frameCount = channelSamples[0]?.length ?? 0
      for (let startFrame = 0; startFrame < frameCount; ) {
        const endFrame = Math.min(frameCount, startFrame + framesPerPeak - framesInPeak)
        // Local copies of the captured variables are ten times faster to update.
        let [lowestOfBlock, highestOfBlock] = [lowestSample, highestSample]
        for (const samples of channelSamples) {
          for (let frameIndex = startFrame; frameIndex < endFrame; frameIndex++) {
            const sample = samples[frameIndex] ?? 0
            if (sample < lowestOfBlock) lowestOfBlock = sample
            if (sample > highestOfBlock) highestOfBlock = sample
          }
        }
        lowestSample = lowestOfBlock
        highestSample = highestOfBlock
        framesInPeak += endFrame - startFrame
        startFrame = endFrame
        if (framesInPeak === framesPerPeak) endPeak()
      }
    },
    /** Returns the waveform of all frames added so far. */
    peaks(): Peaks {
      const lastPeak = framesInPeak > 0 ? [clampSample(lowestSample), clampSample(highestSample)] : []
      const result = resizeArray(peakValues.subarray(0, 2 * peakCount), 2 * peakCount + lastPeak.length)
      result.set(lastPeak, 2 * peakCount)
      return { framesPerPeak, values: result }
    },
  }
}

export type PeakMeter = ReturnType<typeof createPeakMeter>

/** Limits a sample to full scale. NaN and infinities of damaged files count as silence. */
const clampSample = (sample: number) => (Number.isFinite(sample) ? Math.max(-1, Math.min(1, sample)) : 0)

function resizeArray(peakValues: Float32Array, newLength: number): Float32Array<ArrayBuffer> {
  const copy = new Float32Array(newLength)
  copy.set(peakValues.subarray(0, newLength))
  return copy
}
