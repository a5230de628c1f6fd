import type { ColumnType, Generated } from 'kysely'
import type { AccountCodesTable, AccountsTable, RefreshFamiliesTable, RefreshTokensTable } from './account-tables.ts'
import type { ConversionsTable } from './conversion-tables.ts'
import type { PaidGrantsTable, PaymentEventsTable, PaymentGroupsTable } from './payment-tables.ts'
import type { PromotionDaysTable, PromotionsTable } from './promotion-tables.ts'
import type {
  DailySaltsTable,
  DurationReportsTable,
  LearnedDurationsTable,
  RadioListenersTable,
  RadioStationsTable,
} from './radio-tables.ts'
import type { WebsiteBannersTable, WebsiteClicksTable, WebsiteNamesTable, WebsitesTable } from './website-tables.ts'

/*
 * The tables, for both dialects. Times are epoch milliseconds, durations seconds, flags 0 or 1.
 *
 * The schema `catalogue` holds the imported rows. It is never updated in place but replaced completely, so its numbers (`rank`, `no`, `position`)
 * have no gaps: the next song is an index seek and a random song a random integer. The main schema holds everything else and refers to songs and
 * playlists by their public ids.
 */

/** A song. `rank` is 1..n in order of title. */
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
 * A context, in which songs are played: playlist, computed playlist or category. `no` is 1..n; playlists with songs come first, so that a random
 * playlist is a random integer, too.
 */
export interface ContextsTable {
  no: number
  id: string
  /** Kind of a context. If a playlist and a category have the same id, the lower number is used. */
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

/** A song of a context. `position` is 1..song_count. */
export interface ContextSongsTable {
  context_no: number
  position: number
  song_rank: number
}

/** An artist: all songs of one folded author name. `no` is 1..n in order of the folded name; `name` is one of the spellings. */
export interface ArtistsTable {
  no: number
  folded: string
  name: string
  song_count: number
}

/** Totals of the catalogue, counted when it was built. The table has one row. */
export interface CatalogueTotalsTable {
  songs: number
  /** Number of playlists with songs. Their context numbers are 1..n. */
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
  /** JSON of `SupporterTexts`. */
  texts: string
}

export interface FeedTable {
  id: string
  title: string
  /** Sanitised HTML. */
  content: string
  /** The content as rich text (JSON); empty in rows of an earlier version. */
  content_tree: string
  image: string
  url: string
  date: number
}

/** Pictures that are logos, by the hash of their bytes. */
export interface LogosTable {
  hash: string
  type: string
  base64: string
}

/** A setting's value. An empty `brand_id` means all brands. */
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
  /** The account that was signed in. */
  uid: string | null
}

/**
 * Counted plays. `hour` is the hour of arrival since the epoch, of which a client and song have at most one row. For a play that arrived late, it is the
 * negative day of arrival.
 */
export interface PlayMarksTable {
  client_id: string
  song_id: string
  hour: number
  stored_at: number
}

/** Plays of a playlist per day. `day` is days since the epoch, UTC. */
export interface PlaylistPlaysTable {
  playlist_id: string
  day: number
  plays: number
}

/** A client's latest report of an unplayable song. */
export interface UnplayableReportsTable {
  song_id: string
  client_id: string
  reason: string
  reported_at: number
}

/** A client's latest play of an excluded song. */
export interface UnplayablePlaysTable {
  song_id: string
  client_id: string
  played_at: number
}

/** Songs excluded because enough clients reported them. */
export interface UnplayableSongsTable {
  song_id: string
  since: number
}

/** Numeric state of the database: `revision`, `catalogue` (number of the current build), `checked` (time of the last health check). */
export interface StateTable {
  key: string
  value: number
}

/** Pending attempts to link a Discord account; at most one per account. Only hashes of the secrets are stored. */
export interface DiscordAttemptsTable {
  uid: string
  hash: string
  browser_hash: string
  return_url: string
  expires: number
  taken: number
}

/** Linked Discord accounts, by uid of an account of this server or of a Firebase project. */
export interface DiscordAccountsTable {
  uid: string
  discord_id: string
  name: string
  linked: number
}

/** Files exported from the maker, by uid of an account of this server or of a Firebase project. */
export interface MakeHistoryTable {
  uid: string
  /** The id of the file, unique within an account only. */
  id: string
  file_name: string
  file_size: number
  speed: number
  pitch: number
  created: number
}

/**
 * Favorite states, by uid of an account of this server or of a Firebase project. A removed favorite keeps a row with `favorite` 0, because an earlier
 * change of another device may arrive later.
 */
export interface FavoritesTable {
  uid: string
  song_id: string
  favorite: number
  changed_at: number
  device_id: string
  /** The time of the change by the device's clock, without a limit. `changed_at` is limited to the server's time. */
  claimed_at: number
  /** Version of the list at the row's last change. */
  version: number
}

/** Favorite lists. `version` is incremented for every changed row; versions of different epochs are not comparable. */
export interface FavoriteListsTable {
  uid: string
  epoch: string
  version: number
}

/** Ids of applied changes, generated by devices. `owner` is a uid, or empty for changes without an account. */
export interface AppliedChangesTable {
  owner: string
  id: string
  applied_at: number
}

/** Roles by e-mail address, so that they can be granted before sign-up. `until` null means without end. */
export interface RolesTable {
  email: string
  /** The account that the role was given to; null if the address had none then. */
  uid: string | null
  role: string
  source: string
  until: number | null
}

/**
 * Mails. `due` is the time of the next attempt, also the end of the running one's claim; null when the mail was sent or given up. `failure` is the
 * reason of the last failed attempt. Body and link are emptied in the end, because they may hold a code.
 */
export interface MailsTable {
  id: string
  contact_id: number | null
  recipient: string
  reply_to: string | null
  subject: string
  body: string
  link: string | null
  created: number
  expires: number
  attempts: number
  due: number | null
  sent: number | null
  failure: string | null
}

export interface MigrationsTable {
  name: string
  applied: ColumnType<number, number, never>
}

/** Staged rows of an import. The tables are temporary and dropped with the connection. `seq` is the position in the file. */
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
  logos: LogosTable
  contacts: ContactsTable
  mails: MailsTable
  play_marks: PlayMarksTable
  playlist_plays: PlaylistPlaysTable
  unplayable_reports: UnplayableReportsTable
  unplayable_plays: UnplayablePlaysTable
  unplayable_songs: UnplayableSongsTable
  accounts: AccountsTable
  refresh_families: RefreshFamiliesTable
  refresh_tokens: RefreshTokensTable
  account_codes: AccountCodesTable
  roles: RolesTable
  discord_attempts: DiscordAttemptsTable
  discord_accounts: DiscordAccountsTable
  make_history: MakeHistoryTable
  payment_groups: PaymentGroupsTable
  payment_events: PaymentEventsTable
  paid_grants: PaidGrantsTable
  promotions: PromotionsTable
  promotion_days: PromotionDaysTable
  websites: WebsitesTable
  conversions: ConversionsTable
  website_names: WebsiteNamesTable
  website_clicks: WebsiteClicksTable
  website_banners: WebsiteBannersTable
  favorites: FavoritesTable
  favorite_lists: FavoriteListsTable
  applied_changes: AppliedChangesTable
  radio_stations: RadioStationsTable
  radio_listeners: RadioListenersTable
  daily_salts: DailySaltsTable
  duration_reports: DurationReportsTable
  learned_durations: LearnedDurationsTable
  state: StateTable
  migrations: MigrationsTable
  'catalogue.songs': SongsTable
  'catalogue.contexts': ContextsTable
  'catalogue.context_songs': ContextSongsTable
  'catalogue.artists': ArtistsTable
  'catalogue.totals': CatalogueTotalsTable
  'catalogue_next.songs': SongsTable
  'catalogue_next.contexts': ContextsTable
  'catalogue_next.context_songs': ContextSongsTable
  'catalogue_next.artists': ArtistsTable
  'catalogue_next.totals': CatalogueTotalsTable
  staged_songs: StagedSongsTable
  staged_playlists: StagedPlaylistsTable
  staged_playlist_songs: StagedPlaylistSongsTable
  staged_members: MembersTable & { seq: number }
  staged_supporters: SupportersTable & { seq: number }
  staged_feed: FeedTable & { seq: number }
}
