import { emptyCatalogue } from '../catalogue-tables.ts'
import { type DatabaseKind, textType } from '../kind.ts'

function mainTables(kind: DatabaseKind): string[] {
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

/** Creates the tables of before there were accounts. Only PostgreSQL has the catalogue in the migrated database; SQLite has it in files of its own. */
export const statements = (kind: DatabaseKind): string[] => [
  ...mainTables(kind),
  ...(kind === 'postgres' ? ['create extension if not exists pg_trgm', 'create schema catalogue', ...emptyCatalogue(kind)] : []),
]
