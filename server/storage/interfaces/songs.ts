import type { RandomSong, Song, SongDetail } from '../../../contract/song.ts'
import type { Pagination } from '../pagination.ts'

/** Options of a brand that affect how songs are returned. */
export interface SongView {
  /** Songs that were added at or after this time (epoch milliseconds) are marked as new. */
  newSinceMs: number
}

export interface SongSearch extends Pagination {
  /** Text as the user typed it. The store folds case and diacritics. */
  text: string
  artistOnly: boolean
  orderBy: 'title' | 'date_added'
  direction: 'ASC' | 'DESC'
}

/** A play of a song in the video player, as a client reports it. */
export interface Play {
  songId: string
  contextId: string | undefined
  clientId: string
  /** The time when the song was played, in epoch milliseconds, as the client states it. */
  atMs: number
  /** The current time of the server in epoch milliseconds. */
  nowMs: number
  /** Id made by the client. A play whose id was already applied is not counted again. */
  changeId?: string | undefined
  /** The video's length in seconds according to the client's player. Three that agree set the length of a song that has none. */
  durationS?: number | undefined
}

/** A song that enough clients have reported, with its reports. */
export interface UnplayableSong {
  youtube_id: string
  title: string
  /** Number of distinct clients that reported the song. */
  reporters: number
  /** The reason that the latest report gives. */
  reason: string
  /** The time of the latest report in ISO 8601 UTC. */
  last_reported: string
  /** Whether the song is excluded from random and next songs. If not, too many others are. */
  excluded: boolean
}

export interface SongStore {
  /**
   * Returns the song with its neighbours in a context: the playlist or category `contextId`, or else the song's own category. Returns
   * `undefined` if the song does not exist. `uid` is the account whose favorites the context `favorite` lists and `SongDetail.favorite` reads.
   */
  get(songId: string, contextId: string | undefined, view: SongView, uid?: string): Promise<SongDetail | undefined>
  /** Returns the matching songs; an empty list if the text has no letters or digits. */
  search(search: SongSearch, view: SongView): Promise<Song[]>
  /** Returns the songs of these ranks of the current catalogue, in this order. */
  listByRanks(ranks: readonly number[], view: SongView): Promise<Song[]>
  /**
   * Returns up to `limit` other playable songs: those of the same artist, then those of the same category. `undefined` if the song does not exist.
   * The same catalogue gives the same songs.
   */
  listRelated(songId: string, limit: number, view: SongView): Promise<Song[] | undefined>
  /** Returns the newest songs of the channels, filled up with the newest of all to `limit`. */
  listNewest(channelIds: readonly string[], limit: number, view: SongView): Promise<Song[]>
  /** Picks a playable song of the context, or of the whole catalogue, with uniform probability; `undefined` if there is none. */
  pickRandom(contextId: string | undefined, notSongId: string | undefined): Promise<RandomSong | undefined>
  /**
   * Counts a play for popularity, by its arrival: at most once per hour, client and song, and once per day if it happened an hour or more before. Plays of
   * an excluded song by three distinct clients within a UTC day restore it. Returns false if the song does not exist.
   */
  countPlay(play: Play): Promise<boolean>
  /**
   * Records a report whose reason has the error code of a dead video; other reports are ignored, and those of a client above `REPORTS_PER_DAY`. Three distinct
   * reporters within a UTC day exclude the song, for 30 days at most, unless too many songs are excluded. Returns false if the song does not exist.
   */
  reportUnplayable(report: { songId: string; reason: string; clientId: string; atMs: number }): Promise<boolean>
  /** Lists the excluded songs, newest first, then those that were reported by enough clients on the UTC day of `atMs` but are not excluded. */
  listUnplayable(atMs: number): Promise<UnplayableSong[]>
  /** Ends the exclusion of a song. Returns false if the song is not excluded. */
  restoreSong(songId: string): Promise<boolean>
  /** Ends all exclusions. Returns their number. */
  restoreAll(): Promise<number>
}
