import type { Playlist } from '../../contract/playlist.ts'
import type { Song, SongDetail } from '../../contract/song.ts'

/** An ordered answer of the server, kept as ids: what was asked is the key, the rows stand in their own tables. */
export interface ListRow {
  key: string
  ids: string[]
  /** Whether the server has no more rows than `ids`. */
  complete: boolean
}

/** A song in a context, by `songId` and the context that was asked for; see `detailKey`. */
export interface DetailRow {
  key: string
  detail: SongDetail
}

/** When a list or detail was last fetched and opened. Kept apart, so that noting it wakes no reader of the rows. */
export interface VisitRow {
  key: string
  fetchedAtMs: number
}

export interface Table<T> {
  get(key: string): Promise<T | undefined>
  /** In the order of `keys`, `undefined` where there is no row. */
  getMany(keys: readonly string[]): Promise<(T | undefined)[]>
  /** Every row, in no promised order. */
  all(): Promise<T[]>
  put(rows: readonly T[]): Promise<void>
  remove(keys: readonly string[]): Promise<void>
}

export interface Tables {
  songs: Table<Song>
  playlists: Table<Playlist>
  lists: Table<ListRow>
  details: Table<DetailRow>
  visits: Table<VisitRow>
}
export type TableName = keyof Tables

export interface Observer<T> {
  next(value: T): void
  error(error: unknown): void
}

/** The rows that the page shows. Both kinds, on disk and in memory, behave alike. */
export interface CatalogueStore {
  /** Runs `read` now and whenever a row that it read changes, in this tab or another. Returns the way to stop. */
  watch<T>(read: (tables: Tables) => Promise<T>, observer: Observer<T>): () => void
  /** Runs `work` as one transaction: all of it is seen, or none. */
  change(work: (tables: Tables) => Promise<void>): Promise<void>
}
