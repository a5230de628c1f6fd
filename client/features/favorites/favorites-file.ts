import type { Song } from '../../../contract/song.ts'
import { toCsv } from '../../data/song-files/csv.ts'
import { readFileText, readSongFile } from '../../data/song-files/read-song-file.ts'
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
function exportRows(entries: readonly FavoriteEntry[], songs: readonly Song[]): ExportRow[] {
  const songsById = new Map(songs.map((song) => [song.youtube_id, song]))
  return [...entries].reverse().map(({ songId, atMs }) => ({
    youtube_id: songId,
    title: songsById.get(songId)?.title ?? '',
    author_name: songsById.get(songId)?.author_name ?? '',
    added: new Date(atMs).toISOString(),
  }))
}

export const toJsonFile = (entries: readonly FavoriteEntry[], songs: readonly Song[]): string =>
  `${JSON.stringify({ favorites: exportRows(entries, songs) }, null, 2)}\n`

/** Formats favorites as CSV, with the byte order mark by which spreadsheets detect UTF-8. */
export const toCsvFile = (entries: readonly FavoriteEntry[], songs: readonly Song[]): string =>
  `\u{FEFF}${toCsv([
    ['youtube_id', 'title', 'author_name', 'added'],
    ...exportRows(entries, songs).map((row) => [row.youtube_id, row.title, row.author_name, row.added]),
  ])}`

/** Reads the favorites of a file. Resolves with `undefined` if it cannot be read or has no song. */
export async function openFavoritesFile(file: File): Promise<FavoritesFile | 'too-large' | undefined> {
  const content = await readFileText(file)
  return content === 'too-large' ? content : content && readFavoritesFile(content.text)
}

/** Reads the songs of a text that are identified by an id, without duplicates. Returns `undefined` if the text has none. */
export function readFavoritesFile(text: string): FavoritesFile | undefined {
  const file = readSongFile(text, '')
  if (!file) return undefined
  const entries = file.playlists.flatMap(({ songs }) => songs)
  const songs = new Map<string, FavoriteFileSong>()
  for (const { songId, title } of entries) if (songId !== undefined && !songs.has(songId)) songs.set(songId, { songId, title })
  if (songs.size === 0) return undefined
  const unnamedPositions = entries.flatMap(({ songId, position }) => (songId === undefined ? [position] : []))
  const unreadablePositions = [...file.unreadablePositions, ...unnamedPositions].sort((a, b) => a - b)
  return { songs: [...songs.values()], unreadablePositions, unit: file.unit }
}

export interface ImportPlan {
  /** The songs of the file that are not favorites yet, in file order. */
  added: readonly FavoriteFileSong[]
  /** Number of songs of the file that are favorites already. */
  existingCount: number
  /** The ids of the favorites that are not in the file, oldest first. */
  missingSongIds: readonly string[]
}

export function planImport(file: FavoritesFile, entries: readonly FavoriteEntry[]): ImportPlan {
  const favoriteIds = new Set(entries.map(({ songId }) => songId))
  const fileIds = new Set(file.songs.map(({ songId }) => songId))
  const addedSongs = file.songs.filter(({ songId }) => !favoriteIds.has(songId))
  return {
    added: addedSongs,
    existingCount: file.songs.length - addedSongs.length,
    missingSongIds: entries.flatMap(({ songId }) => (fileIds.has(songId) ? [] : [songId])).reverse(),
  }
}
