import { roundToStep, SPEED_RANGE } from './setting-values.ts'

/** The range of the usual tempo of nightcore songs, in beats per minute. */
export const NIGHTCORE_BPM_RANGE = { from: 140, to: 160 } as const

/** The limits of a tempo that is typed, tapped, halved or doubled. */
export const BPM_RANGE = { min: 20, max: 400 } as const

export const isInBpmRange = (bpm: number): boolean => bpm >= BPM_RANGE.min && bpm <= BPM_RANGE.max

/** Parses a length such as `3:05`, `1:02:30` or `185`, in seconds; `undefined` if the text is no length. */
export function parseLength(lengthText: string): number | undefined {
  const [, hours = 0, minutes = 0, seconds] =
    /^(?:(?:(\d{1,2}):)?(\d{1,3}):)?(\d{1,5}(?:[.,]\d{1,3})?)$/.exec(lengthText.normalize('NFKC').trim()) ?? []
  return seconds === undefined ? undefined : 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds.replace(',', '.'))
}

/**
 * Returns the slider's speed that brings a song of `bpm` closest to the middle of NIGHTCORE_BPM_RANGE with the given pitch; undefined if no speed
 * reaches the range.
 */
export function fitSpeed(bpm: number, pitchSemitones: number): number | undefined {
  const middleBpm = (NIGHTCORE_BPM_RANGE.from + NIGHTCORE_BPM_RANGE.to) / 2
  const speed = roundToStep(middleBpm / (bpm * 2 ** (pitchSemitones / 12)), SPEED_RANGE)
  const resultingBpm = bpm * speed * 2 ** (pitchSemitones / 12)
  return resultingBpm >= NIGHTCORE_BPM_RANGE.from && resultingBpm <= NIGHTCORE_BPM_RANGE.to ? speed : undefined
}
