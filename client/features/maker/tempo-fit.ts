/** What nightcore's tempo is said to be. */
export const FIT_BPM = { from: 140, to: 160 } as const

/** What a listener may count; half or double of it is offered within. */
export const COUNTED_BPM = { min: 20, max: 400 } as const

/** The speed slider's. */
export const SPEED = { min: 0.1, max: 2, step: 0.05 } as const
export const PITCH = { min: -12, max: 12, step: 1 } as const

/** As text and back, a step's multiple is the number that the slider gives for it. */
export const toStep = (value: number, { min, max, step }: { min: number; max: number; step: number }): number =>
  Math.min(max, Math.max(min, Math.round(Math.round(value / step) * step * 100) / 100))

/**
 * The speed on the slider that brings a song of `bpm` closest to the middle of the range, with the pitch as it is; undefined where none
 * brings it into the range.
 */
export function fitSpeed(bpm: number, pitch: number): number | undefined {
  const middle = (FIT_BPM.from + FIT_BPM.to) / 2
  const speed = toStep(middle / (bpm * 2 ** (pitch / 12)), SPEED)
  const result = bpm * speed * 2 ** (pitch / 12)
  return result >= FIT_BPM.from && result <= FIT_BPM.to ? speed : undefined
}
