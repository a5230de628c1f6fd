import { designKWeighting } from '../../dsp/k-weighting.ts'
import { computeGainForPeak } from '../../dsp/levels.ts'
import { filter } from '../../dsp/reference/biquad.ts'
import type { PreviewSource } from './preview-source.ts'
import type { RenderedPeak } from './preview-stream.ts'

/** Reads frames from `firstFrame` on. Resolves with one array for each channel. */
export type ReadFrames = (firstFrame: number, frames: number) => Promise<readonly Float32Array[]>

const WINDOW_COUNT = 8
const WINDOW_FRAMES = 16_384

/**
 * Measures the mean K-weighted power of a sound, and its peak, in windows spread over the sound. The power is summed over the channels as in
 * Recommendation ITU-R BS.1770-5, annex 1, without the gate.
 *
 * @param frameCount length of the sound
 */
export async function measureKWeightedPower(
  readFrames: ReadFrames,
  frameCount: number,
  sampleRate: number,
): Promise<{ power: number; peak: number }> {
  const kWeightingFilters = designKWeighting(sampleRate)
  let [meanPower, peakLevel, countedFrames] = [0, 0, 0]
  for (let windowIndex = 0; windowIndex < WINDOW_COUNT; windowIndex++) {
    const firstFrame = Math.max(0, Math.round(((windowIndex + 0.5) / WINDOW_COUNT) * frameCount - WINDOW_FRAMES / 2))
    const windowLength = Math.min(WINDOW_FRAMES, frameCount - firstFrame)
    for (const channelSamples of await readFrames(firstFrame, windowLength)) {
      const weightedSamples = new Float32Array(channelSamples)
      peakLevel = channelSamples.reduce((maxValue, sample) => Math.max(maxValue, Math.abs(sample)), peakLevel)
      for (const each of kWeightingFilters) filter(each, weightedSamples, 1)
      meanPower += weightedSamples.reduce((sum, sample) => sum + sample * sample, 0)
    }
    countedFrames += windowLength
  }
  return { power: countedFrames === 0 ? 0 : meanPower / countedFrames, peak: peakLevel }
}

/**
 * A source that the monitor can play, and the highest peak that is known so far. The peak determines by how much the level of the source
 * must be lowered so that it does not clip.
 */
export interface MonitorSource {
  readonly source: PreviewSource
  readonly peakSoFar: RenderedPeak
}

/** Computes the gains that make the edited and the original sound equally loud: the level of the louder sound is lowered. */
export function createLoudnessMatcher(originalSource: MonitorSource) {
  let originalPower: number | undefined
  let lastMeasurement: { readonly edited: MonitorSource; readonly power: number } | undefined

  async function measurePower({ source, peakSoFar }: MonitorSource): Promise<number> {
    const { power, peak } = await measureKWeightedPower(source.read, source.dryFrames, source.sampleRate)
    peakSoFar.peak = Math.max(peakSoFar.peak, peak)
    return power
  }

  /** Returns the amplitude of the edited sound relative to the original. */
  function computeAmplitudeRatio(): number {
    if (lastMeasurement === undefined || originalPower === undefined || lastMeasurement.power === 0 || originalPower === 0) return 1
    const clippingGainRatio = computeGainForPeak(lastMeasurement.edited.peakSoFar.peak) / computeGainForPeak(originalSource.peakSoFar.peak)
    return Math.sqrt(lastMeasurement.power / originalPower) * clippingGainRatio
  }

  return {
    /** Measures the loudness of the edited source, unless it was the last one measured. */
    async measure(editedSource: MonitorSource) {
      if (lastMeasurement?.edited.source === editedSource.source) return
      originalPower ??= await measurePower(originalSource)
      lastMeasurement = { edited: editedSource, power: await measurePower(editedSource) }
    },
    /** Returns the gain of a source according to the last measurement; 1 before the first measurement. */
    gainOf: (source: PreviewSource) =>
      Math.min(1, source === originalSource.source ? computeAmplitudeRatio() : 1 / computeAmplitudeRatio()),
  }
}

export type LoudnessMatcher = ReturnType<typeof createLoudnessMatcher>
