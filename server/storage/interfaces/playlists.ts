import type { Playlist, PlaylistWithSongs } from '../../../contract/playlist.ts'
import type { Pagination } from '../pagination.ts'
import type { SongView } from './songs.ts'

export interface PlaylistListQuery extends Pagination {
  homeOnly: boolean
  /**
   * The order by title, ascending or descending. `undefined` orders by popularity: plays of the last 30 days, then favorites, then title.
   */
  order: 'ASC' | 'DESC' | undefined
  nowMs: number
}

export interface PlaylistStore {
  list(query: PlaylistListQuery, view: SongView): Promise<Playlist[]>
  /** Returns `count` distinct playlists, chosen at random on each call. */
  listRandom(count: number, view: SongView): Promise<Playlist[]>
  /** Returns a playlist without its songs, or a category in its shape; `undefined` if the id is unknown. */
  find(playlistId: string): Promise<Playlist | undefined>
  /** Returns a playlist, a computed playlist, or a category in a playlist's shape; `undefined` if the id is unknown. */
  get(playlistId: string, page: Pagination, view: SongView): Promise<PlaylistWithSongs | undefined>
}
