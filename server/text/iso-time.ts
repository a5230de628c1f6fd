import { DAY_MS } from '../durations.ts'

/** The maximum number of days whose texts are in memory: those of 27 years. */
const TEXTS_MAX = 10_000
const textByEpochMs = new Map<number, string>()

/**
 * Formats a time in epoch milliseconds as ISO 8601 UTC, as `toISOString` does. The texts of whole days are kept in memory, because imports state the
 * day on which a song was added, and `toISOString` takes longer than the rest of reading a song.
 */
export function formatIsoTime(epochMs: number): string {
  if (epochMs % DAY_MS !== 0) return new Date(epochMs).toISOString()
  const knownText = textByEpochMs.get(epochMs)
  if (knownText !== undefined) return knownText
  if (textByEpochMs.size >= TEXTS_MAX) textByEpochMs.clear()
  const text = new Date(epochMs).toISOString()
  textByEpochMs.set(epochMs, text)
  return text
}
