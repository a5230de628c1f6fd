import { type ListeningRow, OTHER_SONGS_ID } from '../../data/listening.ts'

interface ListeningTime {
  /** The listening time in milliseconds of wall-clock time. */
  heardMs: number
  playCount: number
}

export interface ListenedSong extends ListeningTime {
  songId: string
  title: string
  artist: string
}

export interface ListenedArtist extends ListeningTime {
  name: string
}

export interface ListenedMonth extends ListeningTime {
  minutes: number
}

export interface YearSummary extends ListeningTime {
  minutes: number
  /** The songs with a separate row, sorted by descending listening time. */
  songs: readonly ListenedSong[]
  artists: readonly ListenedArtist[]
  /** The twelve months, January to December. */
  months: readonly ListenedMonth[]
  /** Whether there are further songs, which are contained only in the sums. */
  hasOtherSongs: boolean
}

const toMinutes = (ms: number) => Math.floor(ms / 60_000)

/** Adds up the rows of a year. The minutes of the months add up to those of the year, although all are whole numbers. */
export function summarizeYear(rows: readonly ListeningRow[]): YearSummary {
  const monthTotals = Array.from({ length: 12 }, () => ({ heardMs: 0, playCount: 0 }))
  const songById = new Map<string, ListenedSong>()
  const artistByName = new Map<string, ListenedArtist>()
  for (const { month, songId, title, artist, ...listeningTime } of rows) {
    addListeningTime(monthTotals[Number(month.slice(5)) - 1], listeningTime)
    if (songId === OTHER_SONGS_ID) continue
    addListeningTime(findOrAddEntry(songById, songId, { songId, title, artist }), listeningTime)
    if (artist !== '') addListeningTime(findOrAddEntry(artistByName, artist, { name: artist }), listeningTime)
  }
  let heardMsOfEarlierMonths = 0
  return {
    ...sumListening(monthTotals),
    minutes: toMinutes(sumListening(monthTotals).heardMs),
    songs: sortLongestFirst([...songById.values()]),
    artists: sortLongestFirst([...artistByName.values()]),
    months: monthTotals.map((monthTotal) => {
      const minutes = toMinutes(heardMsOfEarlierMonths + monthTotal.heardMs) - toMinutes(heardMsOfEarlierMonths)
      heardMsOfEarlierMonths += monthTotal.heardMs
      return { ...monthTotal, minutes }
    }),
    hasOtherSongs: rows.some(({ songId }) => songId === OTHER_SONGS_ID),
  }
}

function addListeningTime(previousTotal: ListeningTime | undefined, { heardMs, playCount }: ListeningTime) {
  if (!previousTotal) return
  previousTotal.heardMs += heardMs
  previousTotal.playCount += playCount
}

function findOrAddEntry<T extends ListeningTime>(
  entryByKey: Map<string, T>,
  entryKey: string,
  entryNames: Omit<T, keyof ListeningTime>,
): T {
  const entry = entryByKey.get(entryKey) ?? ({ ...entryNames, heardMs: 0, playCount: 0 } as T)
  entryByKey.set(entryKey, entry)
  return entry
}

const sumListening = (listeningTimes: readonly ListeningTime[]): ListeningTime => {
  const sum = { heardMs: 0, playCount: 0 }
  for (const each of listeningTimes) addListeningTime(sum, each)
  return sum
}

const sortLongestFirst = <T extends ListeningTime>(entries: T[]): T[] =>
  entries.sort((a, b) => b.heardMs - a.heardMs || b.playCount - a.playCount)
