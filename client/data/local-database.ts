import type { AccountInfo } from '../../contract/account.ts'
import type { FeedItem, Member, MemberStats, Supporter } from '../../contract/community.ts'
import type { NamedDocument } from '../../contract/content.ts'
import type { ConversionHistoryRow } from '../../contract/conversion.ts'
import type { EndpointInput } from '../../contract/endpoints.ts'
import type { FavoriteChange } from '../../contract/favorite.ts'
import type { FollowChange } from '../../contract/follow.ts'
import type { OwnPlaylistChange, OwnPlaylistState } from '../../contract/own-playlist.ts'
import type { Playlist } from '../../contract/playlist.ts'
import type { Site } from '../../contract/site.ts'
import type { Song, SongDetail } from '../../contract/song.ts'

/**
 * A list as the server sent it: the ids of its rows in the server's order. The key identifies the request; the rows themselves are in the table of
 * their type.
 */
export interface CachedListRow {
  key: string
  ids: string[]
  /** Whether `ids` is the complete list, without further rows on the server. */
  complete: boolean
  /** Whether the list is the result of an offline search on this device. The server's response replaces it. */
  local?: true
}

/** A song with the previous and next song of its context. `createSongDetailKey` computes its key. */
export interface SongDetailRow {
  key: string
  detail: SongDetail
}

/**
 * When a list or detail was last fetched and last shown. Visits have a table of their own, so that a visit does not notify the watchers of
 * the rows.
 */
export interface VisitRow {
  key: string
  fetchedAtMs: number
  usedAtMs: number
}

/** The brand, settings and texts of the site, as the server last sent them. */
export interface SiteRow {
  key: 'site'
  site: Site
}

/** The size of the network, as the server last sent it. */
export interface MemberStatsRow {
  key: 'stats'
  stats: MemberStats
}

/** A playlist that a person downloaded for offline use. */
export interface PinnedPlaylistRow {
  id: string
  title: string
  /** When the playlist was pinned, in epoch milliseconds. This field cannot be renamed, because devices have stored rows with its name. */
  keptAtMs: number
  /** `fetching` until every picture was downloaded or skipped. The download resumes after a reload. */
  state: 'fetching' | 'done'
  songCount: number
  /** The URL paths of the pictures that the pinned playlist shows. */
  pictures: string[]
  /** Approximate size of the playlist's rows in bytes. */
  rowBytes: number
  /** Size in bytes of the pictures that this playlist's download added. */
  pictureBytes: number
}

/** The email and roles of an account as the server last sent them, and when. Roles stay valid offline for a limited time. */
export interface AccountRow {
  uid: string
  info: AccountInfo
  confirmedAtMs: number
}

/** The export history of an account as last fetched, newest first. */
export interface ExportHistoryRow {
  uid: string
  rows: ConversionHistoryRow[]
}

/** The last synchronized favorites of an account, newest first. Later changes of this device are in the outbox. */
export interface FavoritesRow {
  uid: string
  /** The sync cursor: the next request returns the changes after this cursor. */
  cursor: string
  /** True until all favorites have been fetched from the server: until then, `ids` is incomplete. */
  more?: true
  ids: string[]
  /** When each favorite was added, in the order of `ids`; epoch milliseconds. */
  atMs: number[]
}

/**
 * A logical clock for the changes of an account's favorites and own playlists on this device. The clock is never earlier than a change
 * received from the server or a change in the outbox, so that a new change is later than every change that the person has seen, even if the
 * device's clock is wrong. Its table is still named `favoriteClocks`, because devices have stored rows under that name.
 */
export interface LogicalClockRow {
  uid: string
  /** The id of this device for the account; a UUID. It is replaced if the clock is set back. */
  device: string
  /** The latest time of a change made on or received by this device; epoch milliseconds. */
  atMs: number
  /** The latest time of a change received by this device; epoch milliseconds. Absent if none was received since this field exists. */
  receivedMs?: number
}

/**
 * An own playlist as the server last sent it; later changes of this device are in the outbox. The playlists of a person who is not signed in have the
 * uid `ANONYMOUS_UID`, and their changes are applied to the row itself.
 */
export interface OwnPlaylistRow {
  id: string
  uid: string
  /** Empty while the server has sent entries of the playlist, but not yet its title. */
  title: string
  description: string
  addedAtMs: number
  /** When the server received the deletion, in epoch milliseconds. The playlist can be restored for `DELETED_PLAYLIST_RESTORABLE_MS`. */
  deletedAtMs?: number
  share?: NonNullable<OwnPlaylistState['share']>
  /** Why an admin has hidden the playlist's public page. */
  hidden?: string
  /**
   * The ids of the entries in the order of the playlist. Entries have ids of their own, because a playlist may contain a song more than
   * once.
   */
  entryIds: string[]
  /** The songs of the entries, in the order of `entryIds`. */
  songIds: string[]
  /** The positions by which the entries are sorted, in the order of `entryIds`. */
  positions: string[]
}

/**
 * How far the own playlists of an account are synchronized. A row with `ANONYMOUS_UID` only marks that there are playlists that no account
 * owns yet.
 */
export interface OwnPlaylistCursorRow {
  uid: string
  /** The sync cursor: the next request returns the changes after this cursor. */
  cursor: string
  /** True until all entries of the playlists have been fetched from the server. */
  more?: true
}

/**
 * The artists that an account follows, as the server last sent them; later changes of this device are in the outbox. Artists that are
 * followed while nobody is signed in have the uid `ANONYMOUS_UID`, and their changes are applied to the row itself.
 */
export interface FollowsRow {
  uid: string
  /** The sync cursor, by which the server tells whether the artists have changed. */
  cursor: string
  /** The names of the artists; the artist followed last comes first. */
  names: string[]
  /** When each artist was followed, in the order of `names`; epoch milliseconds. */
  atMs: number[]
}

/** The newest songs of the artists that an account follows, as last fetched. */
export interface FollowedSongsRow {
  uid: string
  songs: Song[]
  /** The ids of the songs that the person has seen on /latest. */
  seenIds: string[]
}

/** A song that was played on this device, with its last play. */
export interface RecentPlayRow {
  id: string
  song: Song
  /**
   * The playlist or category in which the song was played, or 'favorite'; absent if no context was requested, so that the song's category
   * was its context.
   */
  contextId?: string
  playedAtMs: number
}

/** How long a song was played in a month on this device. The song may have been removed from the catalogue since. */
export interface ListeningRow {
  /** The month followed by the id of the song, so that rows are sorted by month. */
  key: string
  /** The month in the device's time zone at the time of playing, such as `2026-11`. */
  month: string
  /** The song id; empty in the row with the total of all songs of a month that have no separate row. */
  songId: string
  title: string
  artist: string
  /** The time for which the song was played, in milliseconds of wall-clock time. */
  heardMs: number
  playCount: number
}

/** The request bodies in the outbox, by endpoint. Each body has the row's id, so that the server applies the change once. */
interface OutboxBodies {
  'POST /favorite/sync': FavoriteChange
  'POST /list/sync': OwnPlaylistChange
  'POST /follow/sync': FollowChange
  'POST /make/history': EndpointInput<'POST /make/history'>
  'POST /song/play': EndpointInput<'POST /song/play'>
  'POST /contact/request': EndpointInput<'POST /contact/request'>
}
export type OutboxEndpointKey = keyof OutboxBodies

/** The `uid` of outbox rows that were created while no account was signed in. */
export const ANONYMOUS_UID = ''

/** A change that is not sent to the server yet, or that the server refused. */
export interface EndpointOutboxRow<C extends OutboxEndpointKey> {
  /** The row's id, a UUID, by which the server recognises a change that it has already applied. */
  id: string
  /**
   * The account that made the change. The change is sent only with a token of this account; rows with `ANONYMOUS_UID` are sent without a
   * token.
   */
  uid: string
  call: C
  body: OutboxBodies[C]
  createdAtMs: number
  attempts: number
  /**
   * The server's error message for the last attempt to send the change. Empty before the first attempt, and if the server did not respond.
   */
  lastError: string
  /** `failed`: the server refused the change. The person can send it again or discard it. */
  state: 'waiting' | 'failed'
  /** Identifies the merge of playlists that the change is part of. The deletions of a merge are sent after the server has accepted its added songs. */
  mergeId?: string
}
export type OutboxRow = { [C in OutboxEndpointKey]: EndpointOutboxRow<C> }[OutboxEndpointKey]

export interface Table<T> {
  keyOf(row: T): string
  get(key: string): Promise<T | undefined>
  /** Returns the rows in the order of `keys`, with `undefined` for missing rows. */
  getMany(keys: readonly string[]): Promise<(T | undefined)[]>
  /** Returns all rows in unspecified order. */
  all(): Promise<T[]>
  /** Returns up to `limit` rows in key order whose keys are greater than `afterKey`. An empty string starts at the first row. */
  page(afterKey: string, limit: number): Promise<T[]>
  keys(): Promise<string[]>
  count(): Promise<number>
  put(rows: readonly T[]): Promise<void>
  remove(keys: readonly string[]): Promise<void>
}

/**
 * The tables of the local database. Each table is declared by the function that returns the key of one of its rows; the type of the
 * function's parameter is the type of the rows.
 */
export const tableKeys = {
  songs: (row: Song) => row.youtube_id,
  playlists: (row: Playlist) => row.id,
  lists: (row: CachedListRow) => row.key,
  details: (row: SongDetailRow) => row.key,
  visits: (row: VisitRow) => row.key,
  feed: (row: FeedItem) => row.id,
  site: (row: SiteRow) => row.key,
  /** The long texts of the brand, by name, as the server last sent them. */
  documents: (row: NamedDocument) => row.name,
  /** The members of the network, with and without a testimonial. */
  members: (row: Member) => row.channel_id,
  supporters: (row: Supporter) => row.domain_name,
  memberStats: (row: MemberStatsRow) => row.key,
  pinned: (row: PinnedPlaylistRow) => row.id,
  accounts: (row: AccountRow) => row.uid,
  makeHistories: (row: ExportHistoryRow) => row.uid,
  outbox: (row: OutboxRow) => row.id,
  favorites: (row: FavoritesRow) => row.uid,
  favoriteClocks: (row: LogicalClockRow) => row.uid,
  recentPlays: (row: RecentPlayRow) => row.id,
  ownPlaylists: (row: OwnPlaylistRow) => row.id,
  ownPlaylistCursors: (row: OwnPlaylistCursorRow) => row.uid,
  follows: (row: FollowsRow) => row.uid,
  followedSongs: (row: FollowedSongsRow) => row.uid,
  listening: (row: ListeningRow) => row.key,
}
export type TableName = keyof typeof tableKeys
export type Tables = { readonly [Name in TableName]: Table<Parameters<(typeof tableKeys)[Name]>[0]> }

export interface Observer<T> {
  next(value: T): void
  error(error: unknown): void
}

/** The database of the page, on disk or in memory, with the same behavior. */
export interface LocalDatabase {
  /** Runs `read` once as a read-only transaction. */
  read<T>(read: (tables: Tables) => Promise<T>): Promise<T>
  /** Runs `read` now and whenever a row that it read changes, in this tab or another. Returns the function that stops it. */
  watch<T>(read: (tables: Tables) => Promise<T>, observer: Observer<T>): () => void
  /** Runs `work` as one transaction: readers see all of its writes or none. */
  change(work: (tables: Tables) => Promise<void>): Promise<void>
  /**
   * Calls `listener` after every change that wrote or removed songs, in this tab or another, with the ids of these songs, or with
   * `undefined` if any song may have changed. Returns the function that unsubscribes it.
   */
  onSongsChanged(listener: (ids: readonly string[] | undefined) => void): () => void
}

/**
 * How long rows of the local database last. `persistent`: on disk. `restarted`: on disk, but the database was unreadable and had to be
 * created anew. In all other states rows last until the page is closed. `full`: a write exceeded the quota. `refused`: the browser provides
 * no database, or the database failed. `blocked`: a tab of an older version holds the database open. `outdated`: a newer version has
 * upgraded the database.
 */
export type DatabaseHealth = 'persistent' | 'restarted' | 'full' | 'refused' | 'blocked' | 'outdated'

/** The local database of this browser, with its health. */
export interface DeviceDatabase extends LocalDatabase {
  readonly health: DatabaseHealth
  /** Subscribes to changes of `health`. Returns the function that unsubscribes. */
  onHealth(listener: () => void): () => void
  /** Sets the function that frees space when a write exceeds the quota. The write is then tried once more. */
  setFreeSpace(freeSpace: (disk: LocalDatabase) => Promise<void>): void
  /** Calls `listener` after every write to the disk. Returns the function that unsubscribes. */
  onWritten(listener: () => void): () => void
  /**
   * After the health `full`, tries to write to the disk again, which succeeds if the rows that were written to memory fit. Changes made
   * in the meantime wait. Never rejects.
   */
  recover(): Promise<void>
}
