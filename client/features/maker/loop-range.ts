import type { LoopRange } from './use-maker.ts'

/** The length of the shortest loop in seconds. A shorter one would sound as a tone. */
export const MIN_LOOP_S = 0.05

/**
 * Returns the loop between two times of a sound, given in either order. The loop lies within the sound and is at least MIN_LOOP_S long,
 * unless the sound is shorter.
 */
export function createLoopBetween(oneEndS: number, otherEndS: number, durationS: number): LoopRange {
  const startS = Math.max(0, Math.min(oneEndS, otherEndS, durationS - MIN_LOOP_S))
  return { on: true, startS, endS: Math.min(durationS, Math.max(oneEndS, otherEndS, startS + MIN_LOOP_S)) }
}

export const isWholeLoop = ({ startS, endS }: LoopRange, durationS: number): boolean => startS <= 0 && endS >= durationS
