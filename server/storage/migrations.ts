import { createDurationTables } from '../catalogue/store-durations.ts'
import { addFeedContentTreeColumn, addFeedUpdatedColumn } from '../catalogue/store-feed.ts'
import { createPlaylistVideosTable } from '../catalogue/store-playlist-videos.ts'
import { addSupporterTextsColumn } from '../catalogue/store-supporters.ts'
import { createUnplayablePlaysTable } from '../catalogue/store-unplayable.ts'
import { addContactSenderColumn } from '../contact/store.ts'
import { addConversionHolds, createConversionsTable } from '../conversion/store.ts'
import { createConversionHistoryTable } from '../conversion/store-history.ts'
import { createDiscordTables } from '../discord/store.ts'
import { createFollowTables } from '../follows/store.ts'
import { createDailySaltsTable } from '../http/store.ts'
import { createAttemptsTable } from '../http/store-attempts.ts'
import { createAccountTables } from '../identity/store-account-rows.ts'
import { addLoginDetailColumns } from '../identity/store-logins.ts'
import { addMailSenderAndLinkLabelColumns, createMailsTable } from '../mail/store.ts'
import { createAdminActionsTable } from '../moderation/store-actions.ts'
import { createHiddenTables } from '../moderation/store-catalogue.ts'
import { addHiddenToWebsites } from '../moderation/store-owned.ts'
import { createOwnPlaylistTables } from '../own-playlists/store-rows.ts'
import { addPaymentEventLinkColumns, createPaymentTables } from '../payments/store.ts'
import { createMakerPresetsTable } from '../presets/store.ts'
import { createPromotionTables } from '../promotion/store.ts'
import { createPushSubscriptionsTable } from '../push/store.ts'
import { createRadioListenersTable, createRadioStationsTable } from '../radio/store.ts'
import { createLogosTable } from '../site/store.ts'
import { createVideoChecksTable } from '../sweep/store.ts'
import {
  createWebsiteBannersTable,
  createWebsitePortraitsTable,
  createWebsiteSongsTable,
  createWebsiteTables,
  shortenWebsiteNames,
} from '../websites/store.ts'
import { createEmptyCatalogueSql } from './catalogue-tables.ts'
import type { SqlTypes } from './database.ts'

export interface Migration {
  name: string
  statements: (types: SqlTypes) => string[]
}

/** Creates the first tables. Only PostgreSQL has the catalogue in the migrated database; SQLite has it in files of its own. */
const createFirstTables = ({ kind, text }: SqlTypes): string[] => [
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
    id ${kind === 'postgres' ? 'bigint generated always as identity primary key' : 'integer primary key autoincrement'}, brand_id ${text} not null, created bigint not null, topic ${text} not null, email ${text}, discord ${text},
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
  ...(kind === 'postgres' ? ['create extension if not exists pg_trgm', 'create schema catalogue', ...createEmptyCatalogueSql(kind)] : []),
]

/**
 * Creates the tables of favorites and applied changes. Recreates the table `play_marks` with an hour in its key, because plays may be
 * reported late; rows of the last hour are lost.
 */
const createChangeTables = ({ text }: SqlTypes): string[] => [
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

/** Assigns each role to the account with the role's email address. Removes unverified addresses from promotions and websites. */
const giveRolesToAccounts = ({ text }: SqlTypes): string[] => [
  `alter table roles add column uid ${text}`,
  'update roles set uid = (select uid from accounts where accounts.email = roles.email)',
  'create index roles_by_account on roles (uid)',
  ...['promotions', 'websites'].map(
    (table) => `update ${table} set email = '' where uid in (select uid from accounts where email_verified = 0)`,
  ),
]

/**
 * Limits the rows that visitors can store. Recreates the table `play_marks`, whose rows now count plays by time of arrival (rows of the
 * last hour are lost), and creates indexes for the limits of reports and messages.
 */
const limitVisitorRows = ({ text }: SqlTypes): string[] => [
  'drop table play_marks',
  `create table play_marks (
    client_id ${text} not null, song_id ${text} not null, hour integer not null, stored_at bigint not null,
    primary key (client_id, song_id, hour))`,
  'create index play_marks_by_time on play_marks (stored_at)',
  'create index unplayable_reports_by_client on unplayable_reports (client_id)',
  'create index contacts_by_time on contacts (created)',
]

/**
 * All migrations in order. Statements that concern a single store are defined in the file of that store. A released migration is never
 * changed: each later change is a new migration.
 */
export const migrations: readonly Migration[] = [
  { name: '001-start', statements: createFirstTables },
  { name: '002-accounts', statements: createAccountTables },
  { name: '003-discord', statements: createDiscordTables },
  { name: '004-make', statements: createConversionHistoryTable },
  { name: '005-changes', statements: createChangeTables },
  { name: '006-unplayable-plays', statements: createUnplayablePlaysTable },
  { name: '007-mails', statements: createMailsTable },
  { name: '008-feed-content-tree', statements: addFeedContentTreeColumn },
  { name: '009-logos', statements: createLogosTable },
  { name: '010-radio', statements: createRadioStationsTable },
  { name: '011-salts', statements: createDailySaltsTable },
  { name: '012-durations', statements: createDurationTables },
  { name: '013-radio-listeners', statements: createRadioListenersTable },
  { name: '014-promotions', statements: createPromotionTables },
  { name: '015-payments', statements: createPaymentTables },
  { name: '016-websites', statements: createWebsiteTables },
  { name: '017-conversions', statements: createConversionsTable },
  { name: '018-website-banners', statements: createWebsiteBannersTable },
  { name: '019-account-roles', statements: giveRolesToAccounts },
  { name: '020-account-messages', statements: addContactSenderColumn },
  { name: '021-supporter-texts', statements: addSupporterTextsColumn },
  { name: '022-login-details', statements: addLoginDetailColumns },
  { name: '023-bounds', statements: limitVisitorRows },
  { name: '024-website-names', statements: shortenWebsiteNames },
  { name: '025-payment-links', statements: addPaymentEventLinkColumns },
  { name: '026-mail-looks', statements: addMailSenderAndLinkLabelColumns },
  { name: '027-website-songs', statements: createWebsiteSongsTable },
  { name: '028-website-portraits', statements: createWebsitePortraitsTable },
  { name: '029-feed-updated', statements: addFeedUpdatedColumn },
  { name: '030-own-playlists', statements: createOwnPlaylistTables },
  { name: '031-maker-presets', statements: createMakerPresetsTable },
  { name: '032-follows', statements: createFollowTables },
  { name: '033-push-subscriptions', statements: createPushSubscriptionsTable },
  { name: '034-admin-actions', statements: createAdminActionsTable },
  { name: '035-hidden', statements: createHiddenTables },
  { name: '036-attempts', statements: createAttemptsTable },
  { name: '037-hidden-websites', statements: addHiddenToWebsites },
  { name: '038-video-checks', statements: createVideoChecksTable },
  { name: '039-conversion-holds', statements: addConversionHolds },
  { name: '040-playlist-videos', statements: createPlaylistVideosTable },
]
