import type { ColumnType, Generated } from 'kysely'

/*
 * The tables, as both dialects see them. Times are epoch milliseconds, durations seconds, flags 0 or 1.
 *
 * What an import fills stands in the schema `catalogue`, is never changed in place, and is replaced as a whole: its
 * numbers (`rank`, `no`, `position`) are dense, so the next song is a seek and a random one is a random integer.
 * All else (what people write) stands in the main schema and refers to songs and playlists by their public ids.
 */

/** `rank` is 1..n by title. */
export interface SongsTable {
  rank: number
  youtube_id: string
  title: string
  title_folded: string
  author_name: string
  author_folded: string
  author_channel_id: string | null
  category_id: string
  category_name: string
  date_added: number
  duration: number | null
  description: string
}

/**
 * Everything that songs can be played in: playlists, computed playlists, categories. `no` is 1..n, and playlists that have
 * songs come first, so that a random one is a random integer too.
 */
export interface ContextsTable {
  no: number
  id: string
  /** A playlist's id wins over a category's. */
  kind: ContextKind
  title: string
  title_folded: string
  category_id: string
  category_name: string
  description: string
  description_url: string
  image_url: string
  special: number
  home: number
  song_count: number
  duration: number | null
  first_song: string | null
}
export const contextKinds = { playlist: 0, computed: 1, category: 2 } as const
export type ContextKind = (typeof contextKinds)[keyof typeof contextKinds]

/** `position` is 1..song_count within a context. */
export interface ContextSongsTable {
  context_no: number
  position: number
  song_rank: number
}

/** Counts taken when the catalogue was built, one row. */
export interface CatalogueTotalsTable {
  songs: number
  /** Playlists with songs: the contexts 1..n. */
  explorable: number
}

export interface MembersTable {
  channel_id: string
  channel_name: string
  channel_pic: string
  sub_tag: string
  testimonial: string
  subs: number
  views: number
  academy: number
}

export interface SupportersTable {
  domain_name: string
  name: string
  profile_pic: string
}

export interface FeedTable {
  id: string
  title: string
  content: string
  image: string
  url: string
  date: number
}

/** `brand_id` is empty where a value is set for every brand. */
export interface SettingsTable {
  key: string
  brand_id: string
  value: string
}

export interface ContactsTable {
  id: Generated<number>
  brand_id: string
  created: number
  topic: string
  email: string | null
  discord: string | null
  youtube_url: string | null
  message: string | null
  remember: string | null
}

/** Plays that were counted, by the hour (since the epoch) that they were in: a client and song have one in each at most. */
export interface PlayMarksTable {
  client_id: string
  song_id: string
  hour: number
  counted_at: number
  stored_at: number
}

/** Plays of a playlist on a day (days since the epoch, UTC). */
export interface PlaylistPlaysTable {
  playlist_id: string
  day: number
  plays: number
}

/** A client's last report on a song. */
export interface UnplayableReportsTable {
  song_id: string
  client_id: string
  reason: string
  reported_at: number
}

/** Songs that enough clients reported. */
export interface UnplayableSongsTable {
  song_id: string
  since: number
}

/** Counters of the database itself: `revision`, `catalogue` (which build is current), `checked`. */
export interface StateTable {
  key: string
  value: number
}

/** An account of the embedded identity service. Addresses are in lower case. */
export interface AccountsTable {
  uid: string
  email: string
  password_hash: string
  email_verified: number
  disabled: number
  created: number
  last_login: number
  /** Identity tokens of an earlier second no longer count. */
  valid_after: number
}

/** A log-in that goes on: all refresh tokens that follow from it. */
export interface RefreshFamiliesTable {
  id: string
  uid: string
  auth_time: number
}

/** Refresh tokens that may still be shown, and those that were replaced a moment ago. Only hashes are stored. */
export interface RefreshTokensTable {
  hash: string
  family_id: string
  issued: number
  replaced: number | null
}

/** What a mail's link proves; an account has one of each kind at most. Only hashes are stored. */
export interface AccountCodesTable {
  uid: string
  kind: string
  hash: string
  expires: number
}

/** An attempt to link Discord that was begun; an account has one at most. Only hashes of its secrets are stored. */
export interface DiscordAttemptsTable {
  uid: string
  hash: string
  browser_hash: string
  return_url: string
  expires: number
  taken: number
}

/** Discord accounts by the account here that they are linked to, wherever that one is kept. */
export interface DiscordAccountsTable {
  uid: string
  discord_id: string
  name: string
  linked: number
}

/** What the maker has written for an account, wherever that one is kept. */
export interface MakeHistoryTable {
  uid: string
  /** An account's own: two accounts may have the same one. */
  id: string
  file_name: string
  file_size: number
  speed: number
  pitch: number
  created: number
}

/**
 * How songs stand in an account's favorites, wherever that one is kept. One that was taken out stays with `favorite` 0: an older tap
 * may be told of any time.
 */
export interface FavoritesTable {
  uid: string
  song_id: string
  favorite: number
  changed_at: number
  device_id: string
  /** What the device's clock said, whatever that may be; `changed_at` is never to come. */
  claimed_at: number
  /** That of the list when the row last changed. */
  version: number
}

/** `version` counts up with every row that changes; another `epoch` is another list, whatever its version. */
export interface FavoriteListsTable {
  uid: string
  epoch: string
  version: number
}

/** Changes that were applied, by the ids that devices gave them. `owner` is a uid, or empty where a change is nobody's. */
export interface AppliedChangesTable {
  owner: string
  id: string
  applied_at: number
}

/** Roles by address, so that they can be given before the person signs up. `until` null: without end. */
export interface RolesTable {
  email: string
  role: string
  source: string
  until: number | null
}

export interface MigrationsTable {
  name: string
  applied: ColumnType<number, number, never>
}

/** Rows of an import before they are put in order; gone when its connection closes. `seq` is the order in the file. */
export interface StagedSongsTable extends Omit<SongsTable, 'rank'> {
  seq: number
}
export interface StagedPlaylistsTable {
  seq: number
  id: string
  title: string
  title_folded: string
  category_id: string
  category_name: string
  description: string
  description_url: string
  image_url: string
  special: number
  home: number
}
export interface StagedPlaylistSongsTable {
  playlist_seq: number
  position: number
  song_id: string
}

export interface Tables {
  members: MembersTable
  supporters: SupportersTable
  feed: FeedTable
  settings: SettingsTable
  contacts: ContactsTable
  play_marks: PlayMarksTable
  playlist_plays: PlaylistPlaysTable
  unplayable_reports: UnplayableReportsTable
  unplayable_songs: UnplayableSongsTable
  accounts: AccountsTable
  refresh_families: RefreshFamiliesTable
  refresh_tokens: RefreshTokensTable
  account_codes: AccountCodesTable
  roles: RolesTable
  discord_attempts: DiscordAttemptsTable
  discord_accounts: DiscordAccountsTable
  make_history: MakeHistoryTable
  favorites: FavoritesTable
  favorite_lists: FavoriteListsTable
  applied_changes: AppliedChangesTable
  state: StateTable
  migrations: MigrationsTable
  'catalogue.songs': SongsTable
  'catalogue.contexts': ContextsTable
  'catalogue.context_songs': ContextSongsTable
  'catalogue.totals': CatalogueTotalsTable
  'catalogue_next.songs': SongsTable
  'catalogue_next.contexts': ContextsTable
  'catalogue_next.context_songs': ContextSongsTable
  'catalogue_next.totals': CatalogueTotalsTable
  staged_songs: StagedSongsTable
  staged_playlists: StagedPlaylistsTable
  staged_playlist_songs: StagedPlaylistSongsTable
  staged_members: MembersTable & { seq: number }
  staged_supporters: SupportersTable & { seq: number }
  staged_feed: FeedTable & { seq: number }
}
