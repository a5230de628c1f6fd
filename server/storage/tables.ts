import { createHash } from 'node:crypto'
import type { Tables } from './schema.ts'

export type DatabaseKind = 'sqlite' | 'postgres'
export type CatalogueSchema = 'catalogue' | 'catalogue_next'

/** The collation "C" makes PostgreSQL order texts by code points, as SQLite does. */
export const textType = (kind: DatabaseKind) => (kind === 'postgres' ? 'text collate "C"' : 'text')

type StagedColumns<Table extends 'staged_songs' | 'staged_playlists'> = Record<Exclude<keyof Tables[Table], 'seq'>, string>

/**
 * Returns the SQL types of the columns that an import sets of a song. A column that is `not null` and added later needs a default: the value of songs
 * that were imported before.
 */
const songColumns = (textTypeSql: string): StagedColumns<'staged_songs'> => ({
  youtube_id: `${textTypeSql} not null`,
  title: `${textTypeSql} not null`,
  title_folded: `${textTypeSql} not null`,
  author_name: `${textTypeSql} not null`,
  author_folded: `${textTypeSql} not null`,
  author_channel_id: textTypeSql,
  category_id: `${textTypeSql} not null`,
  category_name: `${textTypeSql} not null`,
  date_added: 'bigint not null',
  duration: 'integer',
  description: `${textTypeSql} not null`,
})

/** Returns the SQL types of the columns that an import sets of a playlist. */
const playlistColumns = (textTypeSql: string): StagedColumns<'staged_playlists'> => ({
  id: `${textTypeSql} not null`,
  title: `${textTypeSql} not null`,
  title_folded: `${textTypeSql} not null`,
  category_id: `${textTypeSql} not null`,
  category_name: `${textTypeSql} not null`,
  description: `${textTypeSql} not null`,
  description_url: `${textTypeSql} not null`,
  image_url: `${textTypeSql} not null`,
  special: 'integer not null',
  home: 'integer not null',
})

/** The names of the columns that an import sets, by the table of the catalogue that holds them. */
export const importedColumns = { songs: Object.keys(songColumns('')), contexts: Object.keys(playlistColumns('')) } as const

const listColumns = (columns: Readonly<Record<string, string>>) =>
  Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')

/** Returns the SQL that creates the main tables, as the first migration created them. */
export function mainTables(kind: DatabaseKind): string[] {
  const text = textType(kind)
  const ownId = kind === 'postgres' ? 'bigint generated always as identity primary key' : 'integer primary key autoincrement'
  return [
    `create table state (key ${text} primary key, value bigint not null)`,
    `insert into state (key, value) values ('revision', 1), ('catalogue', 0), ('checked', 0)`,
    `create table members (
      channel_id ${text} primary key, channel_name ${text} not null, channel_pic ${text} not null, sub_tag ${text} not null,
      testimonial ${text} not null, subs bigint not null, views bigint not null, academy integer not null)`,
    `create table supporters (domain_name ${text} primary key, name ${text} not null, profile_pic ${text} not null)`,
    `create table feed (
      id ${text} primary key, title ${text} not null, content ${text} not null, image ${text} not null, url ${text} not null,
      date bigint not null)`,
    'create index feed_by_date on feed (date)',
    `create table settings (key ${text} not null, brand_id ${text} not null, value ${text} not null, primary key (key, brand_id))`,
    `create table contacts (
      id ${ownId}, brand_id ${text} not null, created bigint not null, topic ${text} not null, email ${text}, discord ${text},
      youtube_url ${text}, message ${text}, remember ${text})`,
    `create table play_marks (
      client_id ${text} not null, song_id ${text} not null, counted_at bigint not null, primary key (client_id, song_id))`,
    'create index play_marks_by_time on play_marks (counted_at)',
    `create table playlist_plays (
      day integer not null, playlist_id ${text} not null, plays bigint not null, primary key (day, playlist_id))`,
    `create table unplayable_reports (
      song_id ${text} not null, client_id ${text} not null, reason ${text} not null, reported_at bigint not null,
      primary key (song_id, client_id))`,
    `create table unplayable_songs (song_id ${text} primary key, since bigint not null)`,
  ]
}

/** Returns the SQL that creates the tables of accounts and roles. */
export function accountTables(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table accounts (
      uid ${text} primary key, email ${text} not null unique, password_hash ${text} not null, email_verified integer not null,
      disabled integer not null, created bigint not null, last_login bigint not null, valid_after bigint not null)`,
    `create table refresh_families (id ${text} primary key, uid ${text} not null, auth_time bigint not null)`,
    'create index refresh_families_by_account on refresh_families (uid)',
    `create table refresh_tokens (
      hash ${text} primary key, family_id ${text} not null, issued bigint not null, replaced bigint)`,
    'create index refresh_tokens_by_family on refresh_tokens (family_id)',
    `create table account_codes (
      uid ${text} not null, kind ${text} not null, hash ${text} not null unique, expires bigint not null, primary key (uid, kind))`,
    `create table roles (
      email ${text} not null, role ${text} not null, source ${text} not null, until bigint, primary key (email, role, source))`,
  ]
}

/**
 * Returns the SQL that gives roles to accounts rather than to addresses that nobody has verified: a role belongs to the account that the address has here,
 * and promotions and websites keep an address only if it is verified.
 */
export function accountRoles(kind: DatabaseKind): string[] {
  return [
    `alter table roles add column uid ${textType(kind)}`,
    'update roles set uid = (select uid from accounts where accounts.email = roles.email)',
    'create index roles_by_account on roles (uid)',
    ...['promotions', 'websites'].map(
      (table) => `update ${table} set email = '' where uid in (select uid from accounts where email_verified = 0)`,
    ),
  ]
}

/** Returns the SQL that lets messages name the account that sent them. */
export const accountMessages = (kind: DatabaseKind): string[] => [`alter table contacts add column uid ${textType(kind)}`]

/** Returns the SQL that gives logins a public id, and what their owner sees of them. */
export function loginDetails(kind: DatabaseKind): string[] {
  const text = textType(kind)
  const randomId = kind === 'postgres' ? 'gen_random_uuid()::text' : 'lower(hex(randomblob(16)))'
  return [
    ...['login_id', 'device', 'network'].map((name) => `alter table refresh_families add column ${name} ${text} not null default ''`),
    ...['created', 'last_used'].map((name) => `alter table refresh_families add column ${name} bigint not null default 0`),
    `update refresh_families set login_id = ${randomId}, created = auth_time, last_used =
      coalesce((select max(issued) from refresh_tokens where family_id = refresh_families.id), auth_time)`,
    'create unique index refresh_families_by_login on refresh_families (login_id)',
  ]
}

/** Returns the SQL that creates the tables of linked Discord accounts. */
export function discordTables(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table discord_attempts (
      uid ${text} primary key, hash ${text} not null unique, browser_hash ${text} not null, return_url ${text} not null,
      expires bigint not null, taken integer not null)`,
    `create table discord_accounts (
      uid ${text} primary key, discord_id ${text} not null unique, name ${text} not null, linked bigint not null)`,
  ]
}

/** Returns the SQL that creates the table of files exported from the maker. */
export function makeTables(kind: DatabaseKind): string[] {
  const text = textType(kind)
  const realType = kind === 'postgres' ? 'double precision' : 'real'
  return [
    `create table make_history (
      uid ${text} not null, id ${text} not null, file_name ${text} not null, file_size bigint not null, speed ${realType} not null,
      pitch ${realType} not null, created bigint not null, primary key (uid, id))`,
    'create index make_history_by_time on make_history (uid, created, id)',
  ]
}

/**
 * Returns the SQL that creates the tables of favorites and applied changes. Recreates the play marks with an hour in their key, because plays may be
 * reported late; marks of the last hour are lost.
 */
export function favoriteTables(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table favorites (
      uid ${text} not null, song_id ${text} not null, favorite integer not null, changed_at bigint not null, device_id ${text} not null,
      claimed_at bigint not null, version bigint not null, primary key (uid, song_id))`,
    'create index favorites_by_version on favorites (uid, version)',
    'create index favorites_by_time on favorites (uid, favorite, changed_at, version)',
    'create index favorites_by_song on favorites (song_id) where favorite = 1',
    `create table favorite_lists (uid ${text} primary key, epoch ${text} not null, version bigint not null)`,
    `create table applied_changes (owner ${text} not null, id ${text} not null, applied_at bigint not null, primary key (owner, id))`,
    'create index applied_changes_by_time on applied_changes (applied_at)',
    'drop table play_marks',
    `create table play_marks (
      client_id ${text} not null, song_id ${text} not null, hour integer not null, counted_at bigint not null, stored_at bigint not null,
      primary key (client_id, song_id, hour))`,
    'create index play_marks_by_time on play_marks (stored_at)',
  ]
}

/** Returns the SQL that creates the table of plays that restore excluded songs. */
export function unplayablePlaysTable(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table unplayable_plays (
      song_id ${text} not null, client_id ${text} not null, played_at bigint not null, primary key (song_id, client_id))`,
  ]
}

/** Returns the SQL that creates the table of logos that an admin has stored. */
export function logosTable(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [`create table logos (hash ${text} primary key, type ${text} not null, base64 ${text} not null)`]
}

/** Returns the SQL that adds the content of news items as rich text (JSON); empty in rows of before. */
export const feedContentTree = (kind: DatabaseKind): string[] => [
  `alter table feed add column content_tree ${textType(kind)} not null default ''`,
]

/** The texts and links of imported supporters' sites. */
export const supporterTexts = (kind: DatabaseKind): string[] => [
  `alter table supporters add column texts ${textType(kind)} not null default '{}'`,
]

/** Returns the SQL that creates the table of mails. */
export function mailsTable(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table mails (
      id ${text} primary key, contact_id bigint, recipient ${text} not null, reply_to ${text}, subject ${text} not null, body ${text} not null,
      link ${text}, created bigint not null, expires bigint not null, attempts integer not null, due bigint, sent bigint,
      failure ${text})`,
    'create index mails_by_due on mails (due) where due is not null',
    'create index mails_by_contact on mails (contact_id) where contact_id is not null',
    'create index mails_by_time on mails (created)',
  ]
}

/** Returns the SQL that creates the table of what the radio's stations play. */
export function radioTable(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table radio_stations (
      brand_id ${text} not null, station ${text} not null, song_id ${text} not null, start bigint not null, state ${text} not null,
      primary key (brand_id, station))`,
  ]
}

/** Returns the SQL that creates the table of the listeners that each process has counted. */
export function radioListenersTable(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table radio_listeners (
      process_id ${text} not null, brand_id ${text} not null, station ${text} not null, ids ${text} not null, counted_at bigint not null,
      primary key (process_id, brand_id, station))`,
  ]
}

/** Returns the SQL that creates the tables of payments, and of what they grant. */
export function paymentTables(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table payment_groups (id ${text} primary key)`,
    `create table payment_events (
      id ${text} primary key, group_id ${text} not null, created bigint not null, uid ${text}, email ${text}, fact ${text} not null)`,
    'create index payment_events_by_group on payment_events (group_id)',
    'create index payment_events_by_account on payment_events (uid)',
    'create index payment_events_by_address on payment_events (email)',
    `create table paid_grants (
      group_id ${text} not null, purchase ${text} not null, plan ${text} not null, role ${text} not null, uid ${text}, email ${text},
      until bigint not null, primary key (group_id, purchase, role))`,
    'create index paid_grants_by_account on paid_grants (uid)',
    'create index paid_grants_by_address on paid_grants (email)',
  ]
}

/** Returns the SQL that creates the tables of promotions, and of the days on which they were shown. */
export function promotionTables(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table promotions (
      uid ${text} primary key, email ${text} not null, youtube_channel ${text} not null, youtube_share ${text} not null,
      waiting_since bigint)`,
    `create table promotion_days (day integer primary key, uid ${text} not null)`,
    'create index promotion_days_by_account on promotion_days (uid, day)',
  ]
}

/**
 * Returns the SQL that creates the tables of subscribers' websites: their texts, the domain names that lead to them, and the clicks on them. `until` is null
 * for the current name.
 */
export function websiteTables(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table websites (
      uid ${text} primary key, email ${text} not null, name ${text} not null, enabled integer not null, texts ${text} not null)`,
    `create table website_names (domain_name ${text} primary key, uid ${text} not null, until bigint)`,
    'create index website_names_by_account on website_names (uid)',
    `create table website_clicks (
      uid ${text} not null, day integer not null, target ${text} not null, count bigint not null, primary key (uid, day, target))`,
  ]
}

/** Returns the SQL that creates the table of uploaded banners of websites, by the hash of their bytes. */
export function bannerTables(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table website_banners (uid ${text} primary key, hash ${text} not null, base64 ${text} not null)`,
    'create index website_banners_by_hash on website_banners (hash)',
  ]
}

/** Returns the SQL that creates the table of conversions on the server. `secret` signs the addresses of the converted file. */
export function conversionTables(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table conversions (
      id ${text} primary key, uid ${text} not null, state ${text} not null, file_name ${text} not null, upload_bytes bigint not null,
      file_bytes bigint not null, demuxer ${text} not null, rate ${kind === 'postgres' ? 'double precision' : 'real'} not null, format ${text} not null,
      message ${text} not null, secret ${text} not null, created bigint not null)`,
    'create index conversions_by_account on conversions (uid, created)',
  ]
}

/** Returns the SQL that creates the table of the salts of client ids. */
export const saltsTable = (kind: DatabaseKind): string[] => [
  `create table daily_salts (day integer primary key, salt ${textType(kind)} not null)`,
]

/** Returns the SQL that creates the tables of the songs' lengths that players report. */
export function durationTables(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create table duration_reports (
      song_id ${text} not null, client_id ${text} not null, day integer not null, duration integer not null,
      primary key (song_id, client_id))`,
    `create table learned_durations (song_id ${text} primary key, duration integer not null)`,
  ]
}

/** Returns the SQL that creates the empty tables of a catalogue. */
export function catalogueTables(kind: DatabaseKind, schema: CatalogueSchema): string[] {
  const text = textType(kind)
  return [
    `create table ${schema}.songs (rank integer primary key, ${listColumns(songColumns(text))})`,
    `create table ${schema}.contexts (
      no integer primary key, kind integer not null, ${listColumns(playlistColumns(text))}, song_count integer not null, duration bigint,
      first_song ${text})`,
    `create table ${schema}.context_songs (
      context_no integer not null, position integer not null, song_rank integer not null,
      primary key (context_no, position))${kind === 'sqlite' ? ' without rowid' : ''}`,
    `create table ${schema}.artists (
      no integer primary key, folded ${text} not null, name ${text} not null, song_count integer not null)`,
    `create table ${schema}.totals (songs integer not null, explorable integer not null)`,
  ]
}

/** The tables of a catalogue that have indexes. */
export type IndexedTable = 'songs' | 'contexts' | 'context_songs' | 'artists'

/** Returns the SQL that creates the indexes of a catalogue table. Run after the table is filled, which is faster. */
export function catalogueIndexes(kind: DatabaseKind, schema: CatalogueSchema, table: IndexedTable): string[] {
  const createIndexSql = (isUnique: boolean, name: string, columns: string) =>
    kind === 'sqlite'
      ? `create ${isUnique ? 'unique ' : ''}index ${schema}.${name} on ${table} (${columns})`
      : `create ${isUnique ? 'unique ' : ''}index ${name} on ${schema}.${table} (${columns})`
  if (table === 'contexts')
    return [createIndexSql(true, 'contexts_by_id', 'id, kind'), createIndexSql(false, 'contexts_by_title', 'title_folded, no, kind')]
  if (table === 'artists') return [createIndexSql(true, 'artists_by_name', 'folded')]
  if (table === 'context_songs') return [createIndexSql(true, 'context_songs_by_song', 'song_rank, context_no')]
  return [
    createIndexSql(true, 'songs_by_id', 'youtube_id'),
    createIndexSql(false, 'songs_by_title', 'title_folded, rank'),
    createIndexSql(false, 'songs_by_date', 'date_added, rank'),
    createIndexSql(false, 'songs_by_author', 'author_folded, rank'),
  ]
}

/** Returns the SQL that creates the temporary tables in which an import stages its rows. They are dropped with the connection. */
export function stagedTables(kind: DatabaseKind): string[] {
  const text = textType(kind)
  return [
    `create temporary table staged_songs (seq integer not null, ${listColumns(songColumns(text))})`,
    `create temporary table staged_playlists (seq integer not null, ${listColumns(playlistColumns(text))})`,
    `create temporary table staged_playlist_songs (
      playlist_seq integer not null, position integer not null, song_id ${text} not null, primary key (playlist_seq, position))`,
    `create temporary table staged_members (
      seq integer not null, channel_id ${text} not null, channel_name ${text} not null, channel_pic ${text} not null,
      sub_tag ${text} not null, testimonial ${text} not null, subs bigint not null, views bigint not null, academy integer not null)`,
    `create temporary table staged_supporters (
      seq integer not null, domain_name ${text} not null, name ${text} not null, profile_pic ${text} not null, texts ${text} not null)`,
    `create temporary table staged_feed (
      seq integer not null, id ${text} not null, title ${text} not null, content ${text} not null, image ${text} not null,
      url ${text} not null, date bigint not null, content_tree ${text} not null)`,
  ]
}

const createCatalogue = (kind: DatabaseKind) => [
  ...catalogueTables(kind, 'catalogue'),
  ...(['songs', 'contexts', 'context_songs', 'artists'] as const).flatMap((table) => catalogueIndexes(kind, 'catalogue', table)),
]

/**
 * Returns a 32-bit number for the SQL that creates a catalogue, and for `indexTexts`, the texts that its search index depends on. A catalogue with
 * another
 * number was built by another version of this program.
 */
export function catalogueFormat(kind: DatabaseKind, indexTexts: readonly string[]): number {
  const text = [...createCatalogue(kind), ...indexTexts].join(';').replace(/\s+/g, ' ')
  return createHash('sha256').update(text).digest().readInt32BE()
}

/** Returns the SQL that creates an empty `catalogue`, as before the first import. */
export function emptyCatalogue(kind: DatabaseKind): string[] {
  return [...createCatalogue(kind), 'insert into catalogue.totals (songs, explorable) values (0, 0)']
}
