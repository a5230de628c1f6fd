import type { AccountInfo } from '../../contract/account.ts'
import type { FeedItem } from '../../contract/community.ts'
import type { Input } from '../../contract/endpoints.ts'
import type { FavoriteChange } from '../../contract/favorite.ts'
import type { MakeHistoryRow } from '../../contract/make.ts'
import type { Playlist } from '../../contract/playlist.ts'
import type { Site } from '../../contract/site.ts'
import type { Song, SongDetail } from '../../contract/song.ts'

/** An ordered answer of the server, kept as ids: what was asked is the key, the rows stand in their own tables. */
export interface ListRow {
  key: string
  ids: string[]
  /** Whether the server has no more rows than `ids`. */
  complete: boolean
  /** Found on this device without the server's help; the server's own answer replaces it. */
  local?: true
}

/** A song in a context, by `songId` and the context that was asked for; see `detailKey`. */
export interface DetailRow {
  key: string
  detail: SongDetail
}

/** When a list or detail was last fetched and last shown. Kept apart, so that noting it wakes no reader of the rows. */
export interface VisitRow {
  key: string
  fetchedAtMs: number
  usedAtMs: number
}

/** The site as its server last described it. */
export interface SiteRow {
  key: 'site'
  site: Site
}

/** A playlist that a person chose to keep for the time without a connection. */
export interface KeptRow {
  /** The playlist's id. */
  id: string
  title: string
  keptAtMs: number
  /** `fetching` until every picture was tried; goes on after a reload. */
  state: 'fetching' | 'done'
  songCount: number
  /** The pictures that belong to it, by their path. */
  pictures: string[]
  /** What its rows take, about. */
  rowBytes: number
  /** What the pictures take that are here by its doing. */
  pictureBytes: number
}

/** What the server last said about an account, and when: roles count offline for some time after. */
export interface AccountRow {
  uid: string
  info: AccountInfo
  confirmedAtMs: number
}

/** What the site last said that an account has made, newest first. */
export interface MakeHistoriesRow {
  uid: string
  rows: MakeHistoryRow[]
}

/** An account's favorites as the site last told them, newest first; what was tapped since then stands in the outbox. */
export interface FavoritesRow {
  uid: string
  /** Where the site goes on to tell what has changed. */
  cursor: string
  /** It has more to tell at once: these are not all. */
  more?: true
  ids: string[]
  /** When each was tapped, in the order of `ids`; epoch milliseconds. */
  atMs: number[]
}

/**
 * What stamps an account's taps on this device. It never goes back, and is not behind a tap that this device has heard of: so a tap counts as
 * later than what its person saw, whatever the device's clock says.
 */
export interface FavoriteClockRow {
  uid: string
  /** This device, to the account; a UUID. */
  device: string
  /** The latest time that was given or heard of; epoch milliseconds. */
  atMs: number
}

/** What may wait for a connection, by the call that tells the site of it. Each carries the row's id, so that the site applies it once. */
interface OutboxBodies {
  'POST /favorite/sync': FavoriteChange
  'POST /make/history': Input<'POST /make/history'>
  'POST /song/play': Input<'POST /song/play'>
  'POST /contact/request': Input<'POST /contact/request'>
}
export type OutboxCall = keyof OutboxBodies

/** The uid of what was done while nobody was signed in. */
export const NOBODY = ''

/** A change that the site is still to be told of. */
export interface OutboxRowOf<C extends OutboxCall> {
  /** A UUID. */
  id: string
  /** Whose change it is: it is sent in no other name. `NOBODY`'s is sent in whoever's. */
  uid: string
  call: C
  body: OutboxBodies[C]
  createdAtMs: number
  attempts: number
  /** Why the last attempt failed, in words; empty before. */
  lastError: string
  /** `failed`: the site refused it, and a person decides what becomes of it. */
  state: 'waiting' | 'failed'
}
export type OutboxRow = { [C in OutboxCall]: OutboxRowOf<C> }[OutboxCall]

export interface Table<T> {
  get(key: string): Promise<T | undefined>
  /** In the order of `keys`, `undefined` where there is no row. */
  getMany(keys: readonly string[]): Promise<(T | undefined)[]>
  /** Every row, in no promised order. */
  all(): Promise<T[]>
  /** Up to `limit` rows in the order of their keys, from the one after `afterKey`; an empty text begins. */
  page(afterKey: string, limit: number): Promise<T[]>
  keys(): Promise<string[]>
  count(): Promise<number>
  put(rows: readonly T[]): Promise<void>
  remove(keys: readonly string[]): Promise<void>
}

export interface Tables {
  songs: Table<Song>
  playlists: Table<Playlist>
  lists: Table<ListRow>
  details: Table<DetailRow>
  visits: Table<VisitRow>
  feed: Table<FeedItem>
  site: Table<SiteRow>
  kept: Table<KeptRow>
  accounts: Table<AccountRow>
  makeHistories: Table<MakeHistoriesRow>
  outbox: Table<OutboxRow>
  favorites: Table<FavoritesRow>
  favoriteClocks: Table<FavoriteClockRow>
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

/**
 * How far this device keeps what the page shows. `kept`: it does. `restarted`: the database could not be read, and was begun
 * anew. For the others rows are kept only as long as the page is open: `full`: a write did not fit. `refused`: the browser
 * gives no database, or it failed. `blocked`: a tab of an older version holds it. `outdated`: a newer version has taken it over.
 */
export type StoreHealth = 'kept' | 'restarted' | 'full' | 'refused' | 'blocked' | 'outdated'

/** The store of this device, with what a person must be told about it. */
export interface DeviceStore extends CatalogueStore {
  readonly health: StoreHealth
  onHealth(listener: () => void): () => void
  /** What is asked to free space when a write does not fit, before the write is tried once more. */
  setMakeRoom(makeRoom: (store: CatalogueStore) => Promise<void>): void
  onWritten(listener: () => void): void
  /** After `full`: writes go to the device again, where there is room for what is not sent yet. Never rejects. */
  recover(): Promise<void>
}
