import type { ListeningRow, LocalDatabase, Tables } from './local-database.ts'

export type { ListeningRow }

/**
 * The maximum number of songs of a month that have rows of their own. If there are more songs, one row contains the total of the songs with the least
 * listening time.
 */
export const SONGS_PER_MONTH_MAX = 300
/** The maximum number of months that are stored. The oldest are removed. */
export const MONTHS_MAX = 60
const TEXT_MAX_LENGTH = 120

/** The song id of the row with the total of all songs of a month that have no separate row. */
export const OTHER_SONGS_ID = ''

const rowKey = (month: string, songId: string) => `${month} ${songId}`
const monthOfKey = (key: string) => key.slice(0, 7)
const yearOfMonth = (month: string): string => month.slice(0, 4)

const newestFirst = (a: string, b: string) => (a < b ? 1 : -1)

/** Adds the time for which a song was heard in a month. Concurrent calls of several tabs all count. */
export const addListening = (database: LocalDatabase, listening: Omit<ListeningRow, 'key'>): Promise<void> =>
  database.change((tables) => addToRow(tables, listening))

async function addToRow(tables: Tables, listening: Omit<ListeningRow, 'key'>): Promise<void> {
  const { month, songId, title, artist, heardMs, playCount } = listening
  const key = rowKey(month, songId)
  const storedRow = await tables.listening.get(key)
  await tables.listening.put([
    {
      key,
      month,
      songId,
      title: title.slice(0, TEXT_MAX_LENGTH),
      artist: artist.slice(0, TEXT_MAX_LENGTH),
      heardMs: (storedRow?.heardMs ?? 0) + heardMs,
      playCount: (storedRow?.playCount ?? 0) + playCount,
    },
  ])
  if (storedRow || songId === OTHER_SONGS_ID) return
  const otherRows = (await readSongsOfMonth(tables, month)).filter((row) => row.songId !== songId)
  if (otherRows.length === 0) await removeOldMonths(tables, month)
  if (otherRows.length >= SONGS_PER_MONTH_MAX) {
    const leastHeard = otherRows.reduce((least, row) => (row.heardMs < least.heardMs ? row : least))
    await tables.listening.remove([leastHeard.key])
    await addToRow(tables, { ...leastHeard, songId: OTHER_SONGS_ID, title: '', artist: '' })
  }
}

async function readSongsOfMonth(tables: Tables, month: string): Promise<ListeningRow[]> {
  const rows = await tables.listening.page(rowKey(month, OTHER_SONGS_ID), SONGS_PER_MONTH_MAX + 1)
  return rows.filter((row) => row.month === month)
}

async function removeOldMonths(tables: Tables, currentMonth: string): Promise<void> {
  const keys = await tables.listening.keys()
  // The current month is never removed, even if it is the oldest because of a wrong clock.
  const otherMonths = [...new Set(keys.map(monthOfKey))].filter((month) => month !== currentMonth).sort(newestFirst)
  const oldMonths = new Set(otherMonths.slice(MONTHS_MAX - 1))
  await tables.listening.remove(keys.filter((key) => oldMonths.has(monthOfKey(key))))
}

/** Reads the years for which listening times are stored, latest first. */
export async function readListeningYears(tables: Tables): Promise<string[]> {
  return [...new Set((await tables.listening.keys()).map(yearOfMonth))].sort(newestFirst)
}

/** Reads the listening times of a year. */
export async function readListening(tables: Tables, year: string): Promise<ListeningRow[]> {
  const rows = await tables.listening.page(year, 12 * (SONGS_PER_MONTH_MAX + 1))
  return rows.filter((row) => yearOfMonth(row.month) === year)
}

/** Removes the listening times of a year, or of all years. Returns the removed rows. */
export async function clearListening(tables: Tables, year?: string): Promise<ListeningRow[]> {
  const rows = year === undefined ? await tables.listening.all() : await readListening(tables, year)
  const keys = year === undefined ? await tables.listening.keys() : rows.map(({ key }) => key)
  await tables.listening.remove(keys)
  return rows
}

/** Restores removed rows, by adding them to the rows that were stored since. */
export async function restoreListening(tables: Tables, rows: readonly ListeningRow[]): Promise<void> {
  for (const row of rows) await addToRow(tables, row)
}
