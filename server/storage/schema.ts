import type { ColumnType, Generated } from 'kysely'

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
  /** Other spellings of the title (`foldWithSpellings`). */
  title_spellings: string
  author_name: string
  author_folded: string
  author_spellings: string
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
  /** The kinds of contexts. If a playlist and a category have the same id, the kind with the lower number is used. */
  kind: ContextKind
  title: string
  title_folded: string
  title_spellings: string
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
  /** Other spellings of one of the names. */
  spellings: string
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
  /** The time in epoch milliseconds at which an import last changed the text; 0 if no import changed it. */
  updated: Generated<number>
  title: string
  /** Sanitised HTML. */
  content: string
  /** The content as rich text (JSON); empty in rows that an earlier version stored. */
  content_tree: string
  image: string
  url: string
  date: number
}

/** A song that an admin has hidden. It is not in the catalogue; imports keep it out, and update `row`. */
export interface HiddenSongsTable {
  song_id: string
  /** The song as a row of an import file (JSON). */
  row: string
  reason: string
  since: number
}

/** A playlist of the catalogue that an admin has hidden. `row` is the playlist, with its songs, as a row of an import file (JSON). */
export interface HiddenPlaylistsTable {
  playlist_id: string
  row: string
  reason: string
  since: number
}

/** The places of hidden songs in playlists. `position` is the number of songs before the song. */
export interface HiddenPlacesTable {
  song_id: string
  playlist_id: string
  position: number
}

/** The names that admins have given to categories, in place of the imported ones. */
export interface CategoryNamesTable {
  category_id: string
  name: string
}

/** Numeric state of the database: `revision`, `catalogue` (number of the current build), `checked` (time of the last health check), `backup` (time of the last good backup). */
export interface StateTable {
  key: string
  value: number
}

export interface MigrationsTable {
  name: string
  applied: ColumnType<number, number, never>
}

/** Staged rows of an import. The tables are temporary and dropped with the connection. `seq` is the position in the file. */
export interface StagedSongsTable extends Omit<SongsTable, 'rank'> {
  seq: number
}
export interface StagedPlaylistsTable extends Omit<ContextsTable, 'no' | 'kind' | 'song_count' | 'duration' | 'first_song'> {
  seq: number
}
/** The search texts of rows of the current catalogue. `seq` is the `seq` of the staged row. */
export type StagedTextsTable = Pick<StagedSongsTable, 'seq' | 'title_folded' | 'title_spellings' | 'author_folded' | 'author_spellings'>
export interface StagedPlaylistSongsTable {
  playlist_seq: number
  position: number
  song_id: string
}

/**
 * All tables. Each store adds its own tables by `declare module`, beside the types of their rows. The tables in this file belong to no
 * store, or are written by an import.
 */
export interface Tables {
  members: MembersTable
  supporters: SupportersTable
  feed: FeedTable
  hidden_songs: HiddenSongsTable
  hidden_playlists: HiddenPlaylistsTable
  hidden_places: HiddenPlacesTable
  category_names: CategoryNamesTable
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
  staged_texts: StagedTextsTable
  staged_playlist_songs: StagedPlaylistSongsTable
  staged_members: MembersTable & { seq: number }
  staged_supporters: SupportersTable & { seq: number }
  staged_feed: Omit<FeedTable, 'updated'> & { seq: number }
}
