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

const minutesOf = (ms: number) => Math.floor(ms / 60_000)

/** Adds up the rows of a year. The minutes of the months add up to those of the year, although all are whole numbers. */
export function summarizeYear(rows: readonly ListeningRow[]): YearSummary {
  const months = Array.from({ length: 12 }, () => ({ heardMs: 0, playCount: 0 }))
  const songs = new Map<string, ListenedSong>()
  const artists = new Map<string, ListenedArtist>()
  for (const { month, songId, title, artist, ...listeningTime } of rows) {
    addListeningTime(months[Number(month.slice(5)) - 1], listeningTime)
    if (songId === OTHER_SONGS_ID) continue
    addListeningTime(entryOf(songs, songId, { songId, title, artist }), listeningTime)
    if (artist !== '') addListeningTime(entryOf(artists, artist, { name: artist }), listeningTime)
  }
  let msBefore = 0
  return {
    ...sumOf(months),
    minutes: minutesOf(sumOf(months).heardMs),
    songs: longestFirst([...songs.values()]),
    artists: longestFirst([...artists.values()]),
    months: months.map((month) => {
      const minutes = minutesOf(msBefore + month.heardMs) - minutesOf(msBefore)
      msBefore += month.heardMs
      return { ...month, minutes }
    }),
    hasOtherSongs: rows.some(({ songId }) => songId === OTHER_SONGS_ID),
  }
}

function addListeningTime(total: ListeningTime | undefined, { heardMs, playCount }: ListeningTime) {
  if (!total) return
  total.heardMs += heardMs
  total.playCount += playCount
}

function entryOf<T extends ListeningTime>(entries: Map<string, T>, key: string, names: Omit<T, keyof ListeningTime>): T {
  const entry = entries.get(key) ?? ({ ...names, heardMs: 0, playCount: 0 } as T)
  entries.set(key, entry)
  return entry
}

const sumOf = (listeningTimes: readonly ListeningTime[]): ListeningTime => {
  const sum = { heardMs: 0, playCount: 0 }
  for (const each of listeningTimes) addListeningTime(sum, each)
  return sum
}

const longestFirst = <T extends ListeningTime>(entries: T[]): T[] =>
  entries.sort((a, b) => b.heardMs - a.heardMs || b.playCount - a.playCount)
