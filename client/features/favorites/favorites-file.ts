import type { Song } from '../../../contract/song.ts'
import { toCsv } from '../../data/song-files/csv.ts'
import { formatTooLargeMessage, readFileText, readSongFile } from '../../data/song-files/read-song-file.ts'
import type { FavoriteEntry } from './use-favorite-list.ts'

interface FavoriteFileSong {
  songId: string
  /** The song's title in the file; empty if there is none. */
  title: string
}

export interface FavoritesFile {
  /** The songs of the file in order, without duplicates. */
  songs: readonly FavoriteFileSong[]
  /** The positions of entries without a song id, from 1: lines of a table, or entries of a JSON list. */
  unreadablePositions: readonly number[]
  unit: 'line' | 'entry'
}

interface ExportRow {
  youtube_id: string
  title: string
  author_name: string
  added: string
}

/** Returns the rows of an export, oldest first: an import, which adds the rows from top to bottom, restores the order. */
function createExportRows(favoriteEntries: readonly FavoriteEntry[], songs: readonly Song[]): ExportRow[] {
  const songsById = new Map(songs.map((song) => [song.youtube_id, song]))
  return [...favoriteEntries].reverse().map(({ songId, atMs }) => ({
    youtube_id: songId,
    title: songsById.get(songId)?.title ?? '',
    author_name: songsById.get(songId)?.author_name ?? '',
    added: new Date(atMs).toISOString(),
  }))
}

export const toJsonFile = (entries: readonly FavoriteEntry[], songs: readonly Song[]): string =>
  `${JSON.stringify({ favorites: createExportRows(entries, songs) }, null, 2)}\n`

/** Formats favorites as CSV, with the byte order mark by which spreadsheets detect UTF-8. */
export const toCsvFile = (favoriteEntries: readonly FavoriteEntry[], songs: readonly Song[]): string =>
  `\u{FEFF}${toCsv([
    ['youtube_id', 'title', 'author_name', 'added'],
    ...createExportRows(favoriteEntries, songs).map((row) => [row.youtube_id, row.title, row.author_name, row.added]),
  ])}`

/** Reads the favorites of a file. Resolves with a message if it is too large, cannot be read, or has no song. */
export async function openFavoritesFile(file: File): Promise<FavoritesFile | string> {
  const content = await readFileText(file)
  if (content === 'too-large') return formatTooLargeMessage(file.name)
  return (content && readFavoritesFile(content.text)) ?? `No songs could be read from ${file.name}.`
}

/** Reads the songs of a text that are identified by an id, without duplicates. Returns `undefined` if the text has none. */
export function readFavoritesFile(fileText: string): FavoritesFile | undefined {
  const songFile = readSongFile(fileText, '', { favoritesOnly: true })
  if (!songFile) return undefined
  const fileSongs = songFile.playlists.flatMap(({ songs }) => songs)
  const songById = new Map<string, FavoriteFileSong>()
  for (const { songId, title } of fileSongs) if (songId !== undefined && !songById.has(songId)) songById.set(songId, { songId, title })
  if (songById.size === 0) return undefined
  const unnamedPositions = fileSongs.flatMap(({ songId, position }) => (songId === undefined ? [position] : []))
  const unreadablePositions = [...songFile.unreadablePositions, ...unnamedPositions].sort((a, b) => a - b)
  return { songs: [...songById.values()], unreadablePositions, unit: songFile.unit }
}

export interface ImportPlan {
  /** The songs of the file that are not favorites yet, in file order. */
  added: readonly FavoriteFileSong[]
  /** Number of songs of the file that are favorites already. */
  existingCount: number
  /** The ids of the favorites that are not in the file, oldest first. */
  missingSongIds: readonly string[]
}

export function planImport(importedFile: FavoritesFile, favoriteEntries: readonly FavoriteEntry[]): ImportPlan {
  const favoriteIds = new Set(favoriteEntries.map(({ songId }) => songId))
  const fileIds = new Set(importedFile.songs.map(({ songId }) => songId))
  const addedSongs = importedFile.songs.filter(({ songId }) => !favoriteIds.has(songId))
  return {
    added: addedSongs,
    existingCount: importedFile.songs.length - addedSongs.length,
    missingSongIds: favoriteEntries.flatMap(({ songId }) => (fileIds.has(songId) ? [] : [songId])).reverse(),
  }
}
