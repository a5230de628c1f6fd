import { heardPower } from './loudness.ts'
import type { PreviewSource } from './preview-source.ts'

/** Gains with which an edit and its original are equally loud: the louder one is lowered, so that nothing clips. */
export interface LoudnessMatch {
  /** Measures an edit; at once where it is the last one still. */
  measure(edited: PreviewSource): Promise<void>
  /** By the last measurement; 1 before any. */
  gainOf(source: PreviewSource): number
}

export function createLoudnessMatch(original: PreviewSource): LoudnessMatch {
  const powerOf = ({ read, dryFrames, sampleRate }: PreviewSource) => heardPower(read, dryFrames, sampleRate)
  let originalPower: number | undefined
  let measured: PreviewSource | undefined
  /** Amplitude of the edit against the original. */
  let ratio = 1
  return {
    async measure(edited) {
      if (measured === edited) return
      originalPower ??= await powerOf(original)
      const editedPower = await powerOf(edited)
      ratio = editedPower > 0 && originalPower > 0 ? Math.sqrt(editedPower / originalPower) : 1
      measured = edited
    },
    gainOf: (source) => Math.min(1, source === original ? ratio : 1 / ratio),
  }
}
