/** The range of the usual tempo of nightcore songs, in beats per minute. */
export const FIT_BPM = { from: 140, to: 160 } as const

/** Limits of the tempo that the ×½ and ×2 buttons can set. */
export const COUNTED_BPM = { min: 20, max: 400 } as const

/** The range and the step of the maker's speed slider. */
export const SPEED_RANGE = { min: 0.1, max: 2, step: 0.05 } as const
export const PITCH_RANGE = { min: -12, max: 12, step: 1 } as const

/** Rounds a value to a step of the slider, within its range, and to two decimals, so that it equals the slider's own value. */
export const toStep = (value: number, { min, max, step }: { min: number; max: number; step: number }): number =>
  Math.min(max, Math.max(min, Math.round(Math.round(value / step) * step * 100) / 100))

/**
 * Returns the slider's speed that brings a song of `bpm` closest to the middle of FIT_BPM with the given pitch; undefined if no speed reaches
 * the range.
 */
export function fitSpeed(bpm: number, pitch: number): number | undefined {
  const middleBpm = (FIT_BPM.from + FIT_BPM.to) / 2
  const speed = toStep(middleBpm / (bpm * 2 ** (pitch / 12)), SPEED_RANGE)
  const resultingBpm = bpm * speed * 2 ** (pitch / 12)
  return resultingBpm >= FIT_BPM.from && resultingBpm <= FIT_BPM.to ? speed : undefined
}
