import type { Song } from '../../contract/song.ts'
import type { Live } from './live.ts'

export interface FavoriteEntry {
  readonly songId: string
  /** When it was tapped; epoch milliseconds. */
  readonly atMs: number
}

/** An account's favorites as this device knows them: what is not sent yet counts. */
export interface FavoriteList {
  /** Newest first. */
  readonly entries: readonly FavoriteEntry[]
  /** The site has told this device all of them once. */
  readonly complete: boolean
  has(songId: string): boolean
}

/** From now on a song is a favorite, or is none. */
export interface FavoriteTap {
  readonly songId: string
  readonly favorite: boolean
  /** Where it is known here, so that it can be shown without a connection. */
  readonly song?: Song
}

/** Favorites, on this device first. A tap and its row in the outbox are one change of the database. */
export interface Favorites {
  list(uid: string): Live<FavoriteList>
  /** `list` once it is `enough`; as it is by then, where that takes longer than a person waits. */
  listWhen(uid: string, enough: (list: FavoriteList) => boolean): Promise<FavoriteList | undefined>
  /** The songs of `list`, in its order. A song whose row is not on this device is left out. */
  songs(uid: string): Live<readonly Song[]>
  /** Shows at once. Resolves when it is on this device; rejects where it cannot be kept there, and shows as before then. */
  tap(uid: string, taps: readonly FavoriteTap[]): Promise<void>
}
