import { gainFor } from '../../dsp/levels.ts'
import { heardPower } from './loudness.ts'
import type { PreviewSource } from './preview-source.ts'
import type { Loudest } from './preview-stream.ts'

/** A source, and its loudest sample as far as it is known: by that it is lowered where it would clip. */
export interface Heard {
  readonly source: PreviewSource
  readonly loudest: Loudest
}

/** Gains with which an edit and its original are equally loud: the louder one is lowered. */
export interface LoudnessMatch {
  /** Measures an edit; at once where it is the last one still. */
  measure(edited: Heard): Promise<void>
  /** By the last measurement; 1 before any. */
  gainOf(source: PreviewSource): number
}

export function createLoudnessMatch(original: Heard): LoudnessMatch {
  let originalPower: number | undefined
  let measured: { readonly edited: Heard; readonly power: number } | undefined

  async function powerOf({ source, loudest }: Heard): Promise<number> {
    const { power, peak } = await heardPower(source.read, source.dryFrames, source.sampleRate)
    loudest.peak = Math.max(loudest.peak, peak)
    return power
  }

  /** Amplitude of the edit against the original. */
  function ratio(): number {
    if (measured === undefined || originalPower === undefined || measured.power === 0 || originalPower === 0) return 1
    const lowered = gainFor(measured.edited.loudest.peak) / gainFor(original.loudest.peak)
    return Math.sqrt(measured.power / originalPower) * lowered
  }

  return {
    async measure(edited) {
      if (measured?.edited.source === edited.source) return
      originalPower ??= await powerOf(original)
      measured = { edited, power: await powerOf(edited) }
    },
    gainOf: (source) => Math.min(1, source === original.source ? ratio() : 1 / ratio()),
  }
}
