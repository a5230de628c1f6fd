import type { Song } from '../../../contract/song.ts'
import { toCsv } from '../../data/song-files/csv.ts'
import { describeImportFailure } from '../../data/song-files/describe-import-failure.ts'
import { createNameSearch } from '../../data/song-files/find-songs-by-name.ts'
import { formatTooLargeMessage, readFileText, readSongFile } from '../../data/song-files/read-song-file.ts'
import type { FileSong, SongFile } from '../../data/song-files/song-file.ts'
import type { Api } from '../../platform/api.ts'
import type { FavoriteEntry } from './use-favorite-list.ts'

interface FavoriteFileSong {
  songId: string
  /** The song's title in the file, or in the catalogue if it was found by its name; empty if there is none. */
  title: string
}

export interface FavoritesFile {
  /** The songs of the file in order, without duplicates. */
  songs: readonly FavoriteFileSong[]
  /** The titles of the songs without an id that the catalogue lacks. */
  missingTitles: readonly string[]
  /** Number of songs without an id that were not searched for, because a request failed. */
  unsearchedCount: number
  /** The message for the person about that request; undefined if none failed. */
  searchFailure?: string | undefined
  /** The positions of entries that name no song, from 1: lines of a table, or entries of a JSON list. */
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

/**
 * Reads the favorites of a file. Songs without an id are searched for in the catalogue by their title and artist. Resolves with a message if the file is
 * too large or cannot be read, or if none of its songs is found.
 */
export async function openFavoritesFile(api: Api, file: File): Promise<FavoritesFile | string> {
  const content = await readFileText(file)
  if (content === 'too-large') return formatTooLargeMessage(file.name)
  const songFile = content && readSongFile(content.text, file.name, { favoritesOnly: true })
  if (!songFile) return `No songs could be read from ${file.name}.`
  const nameSearch = createNameSearch(
    api,
    songFile.playlists.flatMap(({ songs }) => songs),
  )
  // After a request that failed, the songs that have an id or were found before can be imported.
  const searchFailure = await nameSearch.searchSongs(() => {}).then(() => undefined, describeImportFailure)
  const favoritesFile = toFavoritesFile(songFile, nameSearch.getSong)
  if (favoritesFile.songs.length > 0) return { ...favoritesFile, searchFailure }
  return searchFailure ?? 'None of the songs is in the catalogue of this site.'
}

/**
 * Returns the songs of a file that have an id or that `getSongByName` returns, without duplicates. `getSongByName` returns `null` for a song that the
 * catalogue lacks, and `undefined` for one that was not searched for.
 */
export function toFavoritesFile(songFile: SongFile, getSongByName: (fileSong: FileSong) => Song | null | undefined): FavoritesFile {
  const songById = new Map<string, FavoriteFileSong>()
  const missingTitles: string[] = []
  let unsearchedCount = 0
  for (const fileSong of songFile.playlists.flatMap(({ songs }) => songs)) {
    const foundSong = fileSong.songId === undefined ? getSongByName(fileSong) : undefined
    const songId = fileSong.songId ?? foundSong?.youtube_id
    if (songId === undefined) {
      if (foundSong === null) missingTitles.push(fileSong.title)
      else unsearchedCount += 1
    } else if (!songById.has(songId)) songById.set(songId, { songId, title: foundSong?.title ?? fileSong.title })
  }
  const { unreadablePositions, unit } = songFile
  return { songs: [...songById.values()], missingTitles, unsearchedCount, unreadablePositions, unit }
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
