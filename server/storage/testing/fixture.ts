import type { ImportFileKey, ImportRow } from '../../../contract/import.ts'
import type { SongReadOptions } from '../../catalogue/store-song-rows.ts'
import type { SongSearch } from '../../catalogue/store-song-search.ts'
import type { ImportSummary } from '../import/importer.ts'
import type { Storage } from '../open.ts'
import type { Pagination } from '../pagination.ts'

/** A database of one kind in its initial state, and helpers for importing rows. */
export interface StorageFixture {
  readonly kind: 'sqlite' | 'postgres'
  readonly storage: Storage
  /**
   * Options of a test that takes seconds on PostgreSQL, because it makes many requests: `npm test` runs it on SQLite, and `npm run test:long` on
   * PostgreSQL.
   */
  readonly longOnPostgres: { tags?: string[] }
  /** Closes and reopens the storage. */
  reopen(): Promise<void>
  /** Reopens the storage with a catalogue of an older version, whose table of songs lacks a column. */
  reopenWithoutColumn(column: string): Promise<void>
  /** Reopens the storage with a catalogue of an older version, whose search texts differ from those of this version. */
  reopenWithOldTexts(): Promise<void>
  importText(text: string | Uint8Array): Promise<ImportSummary>
  importRows(rows: Partial<Record<ImportFileKey, readonly unknown[]>>): Promise<ImportSummary>
}

export const songReadOptions: SongReadOptions = { newSinceMs: Date.parse('2026-01-01T00:00:00Z') }
export const allRows = { limit: 10_000, offset: 0 }

/** Returns the id of song `n`, in the format of a YouTube id. */
export const formatSongId = (n: number) => `song_${String(n).padStart(6, '0')}`

export function createSongRow(songNumber: number, rowFields: Partial<ImportRow<'songs'>> = {}): ImportRow<'songs'> {
  return {
    youtube_id: formatSongId(songNumber),
    title: `Song ${songNumber}`,
    author_name: 'Somebody',
    category_id: 'house',
    category_name: 'House',
    date_added: new Date(Date.UTC(2025, 0, 1) + songNumber * 3_600_000).toISOString(),
    ...rowFields,
  }
}

export const createSongRows = (count: number) => Array.from({ length: count }, (_, i) => createSongRow(i + 1))

export function createPlaylistRow(
  playlistId: string,
  songNumbers: readonly number[],
  rowFields: Partial<ImportRow<'playlists'>> = {},
): ImportRow<'playlists'> {
  return {
    id: playlistId,
    title: `Playlist ${playlistId}`,
    category_id: 'house',
    category_name: 'House',
    songs: songNumbers.map(formatSongId),
    ...rowFields,
  }
}

export const listFavorites = async ({ favorites, songs }: Storage, uid: string, page: Pagination) =>
  songs.listByRanks(await favorites.listRanks(uid, page), songReadOptions)

export const createSongSearch = (searchedText: string, searchFields: Partial<SongSearch> = {}): SongSearch => ({
  text: searchedText,
  artistOnly: false,
  orderBy: 'title',
  direction: 'ASC',
  limit: 50,
  offset: 0,
  ...searchFields,
})
