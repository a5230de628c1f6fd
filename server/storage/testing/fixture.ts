import type { ImportKey, ImportRow } from '../../../contract/import.ts'
import type { ImportSummary, SongSearch, SongView, Storage } from '../storage.ts'

export type { Storage }

/** A database of one kind, empty before each test. */
export interface StorageFixture {
  readonly kind: 'sqlite' | 'postgres'
  readonly storage: Storage
  /** Closes it and opens it again. */
  reopen(): Promise<void>
  importText(text: string | Uint8Array): Promise<ImportSummary>
  importRows(rows: Partial<Record<ImportKey, readonly unknown[]>>): Promise<ImportSummary>
}

export const view: SongView = { newSinceMs: Date.parse('2026-01-01T00:00:00Z') }
export const everything = { limit: 10_000, offset: 0 }

/** An id of the right form that says which song it is. */
export const songId = (n: number) => `song_${String(n).padStart(6, '0')}`

export function song(n: number, fields: Partial<ImportRow<'songs'>> = {}): ImportRow<'songs'> {
  return {
    youtube_id: songId(n),
    title: `Song ${n}`,
    author_name: 'Somebody',
    category_id: 'house',
    category_name: 'House',
    date_added: new Date(Date.UTC(2025, 0, 1) + n * 3_600_000).toISOString(),
    ...fields,
  }
}

export const songs = (count: number) => Array.from({ length: count }, (_, i) => song(i + 1))

export function playlist(id: string, songNumbers: readonly number[], fields: Partial<ImportRow<'playlists'>> = {}): ImportRow<'playlists'> {
  return { id, title: `Playlist ${id}`, category_id: 'house', category_name: 'House', songs: songNumbers.map(songId), ...fields }
}

export const search = (text: string, fields: Partial<SongSearch> = {}): SongSearch => ({
  text,
  artistOnly: false,
  orderBy: 'title',
  direction: 'ASC',
  limit: 50,
  offset: 0,
  ...fields,
})
