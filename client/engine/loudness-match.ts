import { gainFor } from '../../dsp/levels.ts'
import { kWeightedPower } from './loudness.ts'
import type { PreviewSource } from './preview-source.ts'
import type { PeakSoFar } from './preview-stream.ts'

/** A source that the monitor can play, with its peak as far as it is known. The peak decides by how much the source is lowered against clipping. */
export interface MonitorSource {
  readonly source: PreviewSource
  readonly peakSoFar: PeakSoFar
}

/** Computes the gains that make the edited and the original sound equally loud: the louder one is lowered. */
export interface LoudnessMatch {
  /** Measures the loudness of the edited source, unless it was the last one measured. */
  measure(editedSource: MonitorSource): Promise<void>
  /** Returns the gain of a source by the last measurement; 1 before the first. */
  gainOf(source: PreviewSource): number
}

export function createLoudnessMatch(original: MonitorSource): LoudnessMatch {
  let originalPower: number | undefined
  let lastMeasured: { readonly edited: MonitorSource; readonly power: number } | undefined

  async function measurePower({ source, peakSoFar }: MonitorSource): Promise<number> {
    const { power, peak } = await kWeightedPower(source.read, source.dryFrames, source.sampleRate)
    peakSoFar.peak = Math.max(peakSoFar.peak, peak)
    return power
  }

  /** Returns the amplitude of the edited sound relative to the original. */
  function amplitudeRatio(): number {
    if (lastMeasured === undefined || originalPower === undefined || lastMeasured.power === 0 || originalPower === 0) return 1
    const clippingGainRatio = gainFor(lastMeasured.edited.peakSoFar.peak) / gainFor(original.peakSoFar.peak)
    return Math.sqrt(lastMeasured.power / originalPower) * clippingGainRatio
  }

  return {
    async measure(editedSource) {
      if (lastMeasured?.edited.source === editedSource.source) return
      originalPower ??= await measurePower(original)
      lastMeasured = { edited: editedSource, power: await measurePower(editedSource) }
    },
    gainOf: (source) => Math.min(1, source === original.source ? amplitudeRatio() : 1 / amplitudeRatio()),
  }
}
