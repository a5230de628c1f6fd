/** The maximum number of texts in memory: the days of 27 years. */
const TEXTS_MAX = 10_000
const textByEpochMs = new Map<number, string>()

/**
 * Formats a time in epoch milliseconds as ISO 8601 UTC, as `toISOString` does, for times that occur again and again, such as the days on which
 * songs were added. `toISOString` takes longer than the rest of reading a song.
 */
export function formatIsoTime(epochMs: number): string {
  const knownText = textByEpochMs.get(epochMs)
  if (knownText !== undefined) return knownText
  if (textByEpochMs.size >= TEXTS_MAX) textByEpochMs.clear()
  const text = new Date(epochMs).toISOString()
  textByEpochMs.set(epochMs, text)
  return text
}
