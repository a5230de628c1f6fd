import type { FavoriteSync, FavoriteSyncResult } from '../../../contract/favorite.ts'
import type { RandomSong } from '../../../contract/song.ts'
import type { Pagination } from '../pagination.ts'
import type { SongView } from './songs.ts'

/** Result of setting a favorite. `no-song`: the song does not exist. `full`: the list has reached its maximum length. */
export type FavoriteOutcome = 'set' | 'no-song' | 'full'

/** A favorite as it is stored. */
export interface ExportedFavorite {
  /** The id of the song that is a favorite. */
  s: string
  /** Time of the change, ISO 8601 UTC. */
  at: string
}

/**
 * Favorites, by uid of an account of this server or of a Firebase project. Lists are ordered by the time of the change, newest first.
 * Favorites whose song was removed from the catalogue are omitted from lists of songs.
 */
export interface FavoriteStore {
  /**
   * Applies a device's changes in one transaction and returns the states changed since its cursor. A change whose id was already applied
   * is ignored; for each song the latest change wins. A request without changes is read only.
   */
  sync(uid: string, sync: FavoriteSync, nowMs: number, view: SongView): Promise<FavoriteSyncResult>
  /** Sets a favorite as the latest change of the song. Removing a song that is no favorite returns 'set'. */
  set(uid: string, songId: string, favorite: boolean, nowMs: number): Promise<FavoriteOutcome>
  has(uid: string, songId: string): Promise<boolean>
  /** Lists the ranks of the favorite songs in the current catalogue (`SongStore.listByRanks`), newest first. */
  listRanks(uid: string, page: Pagination): Promise<number[]>
  findLatest(uid: string): Promise<RandomSong | undefined>
  /** Picks a playable favorite with uniform probability; `undefined` if there is none. */
  pickRandom(uid: string, notSongId: string | undefined): Promise<RandomSong | undefined>
  /** Lists favorites, including songs that the catalogue no longer has; newest first. */
  exportPage(uid: string, page: Pagination): Promise<ExportedFavorite[]>
  /**
   * Invalidates all cursors, so that every device requests its complete list. Needed after the database is restored from a backup: cursors
   * issued after the backup would otherwise count as current. Returns the number of lists.
   */
  resetCursors(): Promise<number>
  deleteAll(uid: string): Promise<void>
}
