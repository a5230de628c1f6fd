import type { Sound } from './sound.ts'

/** Beats per minute; undefined where no beat is found. */
export async function findTempo(_sound: Sound, _signal: AbortSignal): Promise<number | undefined> {
  return undefined
}
