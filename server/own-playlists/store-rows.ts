import type { Queries, SqlTypes } from '../storage/database.ts'
import type { LastWriteWinsRegister } from '../storage/merge.ts'
import { createEpoch, type SyncPosition } from '../storage/sync.ts'

/** The sync position of an account's own playlists (`SyncPosition`), and the time of the latest change of these playlists; 0 if there was none. */
interface OwnPlaylistPositionsTable extends SyncPosition {
  uid: string
  latest: number
}

/**
 * Own playlists, by uid of an account of this server or of a Firebase project. A column whose name ends with "stamp" stores the latest change of the
 * column with the same name without this ending (`createStamp`).
 */
interface OwnPlaylistsTable {
  uid: string
  id: string
  title: string
  title_stamp: string
  description: string
  description_stamp: string
  deleted: number
  deleted_stamp: string
  /** When the server received the deletion; null if the playlist is not deleted. */
  deleted_at: number | null
  created: number
  /** The token in the address of the public page. A deleted playlist has it until its sharing cannot be restored, and no public page. */
  share_token: string | null
  /** Whether search engines may list the public page. */
  indexed: number
  /** Why an admin has hidden the public page; empty if it is not hidden. */
  hidden: string
  /** The version of the account's sync position when the row was last changed. */
  version: number
}

/** The entries of own playlists. A removed entry keeps a row, because an earlier change of another device may arrive later. */
interface OwnPlaylistEntriesTable {
  uid: string
  playlist_id: string
  id: string
  song_id: string
  position: string
  position_stamp: string
  removed: number
  removed_stamp: string
  added: number
  version: number
}

/** The latest report of a client about a shared playlist. `uid` is the account to which the playlist belongs. */
interface OwnPlaylistReportsTable {
  uid: string
  playlist_id: string
  client_id: string
  reason: string
  reported_at: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    own_playlist_positions: OwnPlaylistPositionsTable
    own_playlists: OwnPlaylistsTable
    own_playlist_entries: OwnPlaylistEntriesTable
    own_playlist_reports: OwnPlaylistReportsTable
  }
}

export type OwnPlaylistRow = OwnPlaylistsTable
export type OwnPlaylistEntryRow = OwnPlaylistEntriesTable

export const createOwnPlaylistTables = ({ text }: SqlTypes): string[] => [
  `create table own_playlist_positions (uid ${text} primary key, epoch ${text} not null, version bigint not null, latest bigint not null)`,
  `create table own_playlists (
    uid ${text} not null, id ${text} not null, title ${text} not null, title_stamp ${text} not null, description ${text} not null,
    description_stamp ${text} not null, deleted integer not null, deleted_stamp ${text} not null, deleted_at bigint, created bigint not null,
    share_token ${text}, indexed integer not null, hidden ${text} not null, version bigint not null, primary key (uid, id))`,
  'create index own_playlists_by_version on own_playlists (uid, version)',
  'create index own_playlists_by_deletion on own_playlists (deleted_at) where deleted_at is not null',
  'create unique index own_playlists_by_token on own_playlists (share_token) where share_token is not null',
  `create table own_playlist_entries (
    uid ${text} not null, playlist_id ${text} not null, id ${text} not null, song_id ${text} not null, position ${text} not null,
    position_stamp ${text} not null, removed integer not null, removed_stamp ${text} not null, added bigint not null, version bigint not null,
    primary key (uid, playlist_id, id))`,
  'create index own_playlist_entries_by_version on own_playlist_entries (uid, version)',
  'create index own_playlist_entries_in_order on own_playlist_entries (uid, playlist_id, position, id) where removed = 0',
  `create table own_playlist_reports (
    uid ${text} not null, playlist_id ${text} not null, client_id ${text} not null, reason ${text} not null, reported_at bigint not null,
    primary key (uid, playlist_id, client_id))`,
  'create index own_playlist_reports_by_time on own_playlist_reports (reported_at)',
]

/**
 * The time after the deletion of a playlist within which its restoration, such as Undo, shares it again under the same address. Later, the owner may
 * not expect that a restored playlist is public.
 */
const SHARING_RESTORABLE_MS = 600_000

/** The columns of a playlist that is not shared. */
export const ENDED_SHARING = { share_token: null, indexed: 0 } as const

/** A time in epoch milliseconds: the sharing of a playlist that was deleted before it cannot be restored at `nowMs`. */
export const sharingRestorableSince = (nowMs: number): number => nowMs - SHARING_RESTORABLE_MS

/**
 * Whether the token of a deleted playlist is not valid after a restoration. If an admin has hidden the playlist, the token stays, because the admin
 * refers to the playlist by it.
 */
export const isSharingOver = ({ deleted_at, hidden }: Pick<OwnPlaylistRow, 'deleted_at' | 'hidden'>, nowMs: number): boolean =>
  hidden === '' && deleted_at !== null && deleted_at < sharingRestorableSince(nowMs)

/** Returns the text of a stamp column: the times and the device of the latest change of the column to which it belongs. */
export const createStamp = ({ changedAtMs, deviceId, claimedAtMs }: Omit<LastWriteWinsRegister<unknown>, 'value'>): string =>
  `${changedAtMs} ${deviceId} ${claimedAtMs}`

/** Returns the register of a column and its stamp column; undefined if the column was never changed. */
export function readRegister<T>(registerValue: T, stampText: string): LastWriteWinsRegister<T> | undefined {
  if (stampText === '') return undefined
  const [changedAt, deviceId = '', claimedAt] = stampText.split(' ')
  return { value: registerValue, changedAtMs: Number(changedAt), deviceId, claimedAtMs: Number(claimedAt) }
}

/** Returns the account's position, created if missing, and locks its row until the transaction ends, so that changes are serialised. */
export const lockPosition = (queries: Queries, uid: string): Promise<Omit<OwnPlaylistPositionsTable, 'uid'>> =>
  queries
    .insertInto('own_playlist_positions')
    .values({ uid, epoch: createEpoch(), version: 0, latest: 0 })
    .onConflict((conflict) => conflict.column('uid').doUpdateSet((eb) => ({ version: eb.ref('own_playlist_positions.version') })))
    .returning(['epoch', 'version', 'latest'])
    .executeTakeFirstOrThrow()
