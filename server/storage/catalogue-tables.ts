import { createHash } from 'node:crypto'
import { SEARCH_TEXT_VERSION } from '../../contract/search-text.ts'
import { type DatabaseKind, sqlTypes } from './database.ts'
import type { Tables } from './schema.ts'

export type CatalogueSchema = 'catalogue' | 'catalogue_next'

type StagedColumns<Table extends 'staged_songs' | 'staged_playlists'> = Record<Exclude<keyof Tables[Table], 'seq'>, string>

/**
 * Returns the SQL types of the song columns that an import sets. A new column that is `not null` needs a default value for the songs that
 * were imported before.
 */
const createSongColumns = (textTypeSql: string): StagedColumns<'staged_songs'> => ({
  youtube_id: `${textTypeSql} not null`,
  title: `${textTypeSql} not null`,
  title_folded: `${textTypeSql} not null`,
  title_spellings: `${textTypeSql} not null`,
  author_name: `${textTypeSql} not null`,
  author_folded: `${textTypeSql} not null`,
  author_spellings: `${textTypeSql} not null`,
  author_channel_id: textTypeSql,
  category_id: `${textTypeSql} not null`,
  category_name: `${textTypeSql} not null`,
  date_added: 'bigint not null',
  duration: 'integer',
  description: `${textTypeSql} not null`,
})

/** Returns the SQL types of the playlist columns that an import sets. */
const createPlaylistColumns = (textTypeSql: string): StagedColumns<'staged_playlists'> => ({
  id: `${textTypeSql} not null`,
  title: `${textTypeSql} not null`,
  title_folded: `${textTypeSql} not null`,
  title_spellings: `${textTypeSql} not null`,
  category_id: `${textTypeSql} not null`,
  category_name: `${textTypeSql} not null`,
  description: `${textTypeSql} not null`,
  description_url: `${textTypeSql} not null`,
  image_url: `${textTypeSql} not null`,
  special: 'integer not null',
  home: 'integer not null',
})

/** The names of the columns that an import sets, by table of the catalogue. */
export const importedColumns = { songs: Object.keys(createSongColumns('')), contexts: Object.keys(createPlaylistColumns('')) } as const

const listColumns = (columnTypes: Readonly<Record<string, string>>) =>
  Object.entries(columnTypes)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')

/** Returns the SQL that creates the empty tables of a catalogue. */
export function createCatalogueTablesSql(kind: DatabaseKind, schema: CatalogueSchema): string[] {
  const { text } = sqlTypes[kind]
  return [
    `create table ${schema}.songs (rank integer primary key, ${listColumns(createSongColumns(text))})`,
    `create table ${schema}.contexts (
      no integer primary key, kind integer not null, ${listColumns(createPlaylistColumns(text))}, song_count integer not null, duration bigint,
      first_song ${text})`,
    `create table ${schema}.context_songs (
      context_no integer not null, position integer not null, song_rank integer not null,
      primary key (context_no, position))${kind === 'sqlite' ? ' without rowid' : ''}`,
    `create table ${schema}.artists (
      no integer primary key, folded ${text} not null, spellings ${text} not null, name ${text} not null, song_count integer not null)`,
    `create table ${schema}.totals (songs integer not null, explorable integer not null)`,
  ]
}

/** The tables of a catalogue that have indexes. */
export type IndexedTable = 'songs' | 'contexts' | 'context_songs' | 'artists'

/**
 * Returns the SQL that creates the indexes of a catalogue table. The SQL is run after the table has been filled, because filling a table with indexes
 * is slower.
 */
export function createCatalogueIndexesSql(kind: DatabaseKind, schema: CatalogueSchema, table: IndexedTable): string[] {
  const createIndexSql = (isUnique: boolean, indexName: string, columnList: string) =>
    kind === 'sqlite'
      ? `create ${isUnique ? 'unique ' : ''}index ${schema}.${indexName} on ${table} (${columnList})`
      : `create ${isUnique ? 'unique ' : ''}index ${indexName} on ${schema}.${table} (${columnList})`
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

/** Returns the SQL that creates the temporary tables in which an import stages its rows. They are dropped with the connection at the latest. */
export function createStagedTablesSql(kind: DatabaseKind): string[] {
  const { text } = sqlTypes[kind]
  return [
    `create temporary table staged_songs (seq integer not null, ${listColumns(createSongColumns(text))})`,
    `create temporary table staged_playlists (seq integer not null, ${listColumns(createPlaylistColumns(text))})`,
    `create temporary table staged_playlist_songs (
      playlist_seq integer not null, position integer not null, song_id ${text} not null, primary key (playlist_seq, position))`,
    `create temporary table staged_texts (
      seq integer primary key, title_folded ${text} not null, title_spellings ${text} not null, author_folded ${text} not null,
      author_spellings ${text} not null)`,
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

const createCatalogueSql = (kind: DatabaseKind) => [
  ...createCatalogueTablesSql(kind, 'catalogue'),
  ...(['songs', 'contexts', 'context_songs', 'artists'] as const).flatMap((table) => createCatalogueIndexesSql(kind, 'catalogue', table)),
]

/**
 * Returns a 32-bit hash of the SQL that creates a catalogue, of `indexTexts`, the texts on which its search index depends, and of the version of the
 * search texts. A catalogue with another hash was built by another version of this program.
 */
export function computeCatalogueFormatHash(kind: DatabaseKind, indexTexts: readonly string[]): number {
  const text = [...createCatalogueSql(kind), ...indexTexts, `search texts ${SEARCH_TEXT_VERSION}`].join(';').replace(/\s+/g, ' ')
  return createHash('sha256').update(text).digest().readInt32BE()
}

/** Returns the SQL that creates an empty `catalogue`, for a database before its first import. */
export function createEmptyCatalogueSql(kind: DatabaseKind): string[] {
  return [...createCatalogueSql(kind), 'insert into catalogue.totals (songs, explorable) values (0, 0)']
}
