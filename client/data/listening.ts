import type { ListeningRow, LocalDatabase, Tables } from './local-database.ts'

export type { ListeningRow }

/**
 * The maximum number of songs of a month that have rows of their own. If there are more songs, one row contains the total of the songs with the least
 * listening time.
 */
export const SONGS_PER_MONTH_MAX = 300
/** The maximum number of months that are stored. The oldest are removed. */
export const LISTENING_MONTHS_MAX = 60
const STORED_TEXT_MAX_LENGTH = 120

/** The song id of the row with the total of all songs of a month that have no separate row. */
export const OTHER_SONGS_ID = ''

/** Cuts between code points, so that no half of an emoji is left. */
const cutStoredText = (text: string): string => [...text].slice(0, STORED_TEXT_MAX_LENGTH).join('')
const createRowKey = (month: string, songId: string) => `${month} ${songId}`
const readMonth = (key: string) => key.slice(0, 7)
const readYear = (month: string): string => month.slice(0, 4)

const compareNewestFirst = (a: string, b: string) => (a < b ? 1 : -1)

/** Adds the time for which a song was heard in a month. Concurrent calls of several tabs all count. */
export const addListening = (database: LocalDatabase, listening: Omit<ListeningRow, 'key'>): Promise<void> =>
  database.change((tables) => addToListeningRow(tables, listening))

async function addToListeningRow(tables: Tables, listening: Omit<ListeningRow, 'key'>): Promise<void> {
  const { month, songId, title, artist, heardMs, playCount } = listening
  const listeningKey = createRowKey(month, songId)
  const storedRow = await tables.listening.get(listeningKey)
  await tables.listening.put([
    {
      key: listeningKey,
      month,
      songId,
      title: cutStoredText(title),
      artist: cutStoredText(artist),
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
    await addToListeningRow(tables, { ...leastHeard, songId: OTHER_SONGS_ID, title: '', artist: '' })
  }
}

async function readSongsOfMonth(tables: Tables, monthText: string): Promise<ListeningRow[]> {
  const rows = await tables.listening.page(createRowKey(monthText, OTHER_SONGS_ID), SONGS_PER_MONTH_MAX + 1)
  return rows.filter((row) => row.month === monthText)
}

async function removeOldMonths(tables: Tables, currentMonth: string): Promise<void> {
  const listeningKeys = await tables.listening.keys()
  // The current month is never removed, even if it is the oldest because of a wrong clock.
  const otherMonths = [...new Set(listeningKeys.map(readMonth))].filter((month) => month !== currentMonth).sort(compareNewestFirst)
  const oldMonths = new Set(otherMonths.slice(LISTENING_MONTHS_MAX - 1))
  await tables.listening.remove(listeningKeys.filter((key) => oldMonths.has(readMonth(key))))
}

/** Reads the years for which listening times are stored, latest first. */
export async function readListeningYears(tables: Tables): Promise<string[]> {
  return [...new Set((await tables.listening.keys()).map(readYear))].sort(compareNewestFirst)
}

/** Reads the listening times of a year. */
export async function readListening(tables: Tables, yearText: string): Promise<ListeningRow[]> {
  const rows = await tables.listening.page(yearText, 12 * (SONGS_PER_MONTH_MAX + 1))
  return rows.filter((row) => readYear(row.month) === yearText)
}

/** Removes the listening times of a year, or of all years. Returns the removed rows. */
export async function clearListening(tables: Tables, yearText?: string): Promise<ListeningRow[]> {
  const listeningRows = yearText === undefined ? await tables.listening.all() : await readListening(tables, yearText)
  const keys = yearText === undefined ? await tables.listening.keys() : listeningRows.map(({ key }) => key)
  await tables.listening.remove(keys)
  return listeningRows
}

/** Restores removed rows, by adding them to the rows that were stored since. */
export async function restoreListening(tables: Tables, rows: readonly ListeningRow[]): Promise<void> {
  for (const row of rows) await addToListeningRow(tables, row)
}
