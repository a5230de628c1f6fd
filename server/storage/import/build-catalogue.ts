import { sql } from 'kysely'
import { NETWORK_SONGS_PLAYLIST_ID, NEW_SONGS_PLAYLIST_ID } from '../../../contract/playlist-rules.ts'
import { createCatalogueIndexesSql, type IndexedTable, importedColumns } from '../catalogue-tables.ts'
import type { ImportStaging, Queries } from '../database.ts'
import { ImportError } from '../errors.ts'
import { contextKinds } from '../schema.ts'
import { applyEdit, type CatalogueEdit, nameCategories, withholdHiddenRows } from './catalogue-edits.ts'
import { createSongSearchTexts, createTitleSearchTexts } from './staged-rows.ts'
import { formatRowName } from './validate.ts'

const NEW_PLAYLIST_SONG_COUNT = 100
const joinColumnNames = (columnNames: readonly string[]) => sql.raw(columnNames.join(', '))
const importedSongColumns = joinColumnNames(importedColumns.songs)
const importedPlaylistColumns = joinColumnNames(importedColumns.contexts)

/** The tables of the current catalogue whose rows a rebuilt catalogue contains, with their keys. */
const keyColumnByMergedTable = { songs: 'rank', contexts: 'no' } as const
type MergedTable = keyof typeof keyColumnByMergedTable

/** The columns that are computed from titles and names. */
const searchTextColumns: Record<MergedTable, readonly string[]> = {
  songs: Object.keys(createSongSearchTexts({ title: '', author_name: '' })),
  contexts: Object.keys(createTitleSearchTexts({ title: '' })),
}
const TEXT_ROWS_PER_STEP = 5_000

/** Computes the search texts of a table's current rows. */
async function stageSearchTexts(staging: ImportStaging, table: MergedTable): Promise<void> {
  const { queries } = staging
  const keyColumn = sql.raw(keyColumnByMergedTable[table])
  const authorNameSql = sql.raw(table === 'songs' ? 'author_name' : "''")
  await sql`delete from staged_texts`.execute(queries)
  for (let lastKey = 0; ; ) {
    const { rows } = await sql<{ key: number; title: string; author_name: string }>`
      select ${keyColumn} as key, title, ${authorNameSql} as author_name from ${sql.table(`catalogue.${table}`)}
      where ${keyColumn} > ${lastKey} order by ${keyColumn} limit ${TEXT_ROWS_PER_STEP}`.execute(queries)
    await staging.append(
      'staged_texts',
      rows.map((row) => ({ seq: -row.key, ...createSongSearchTexts(row) })),
    )
    lastKey = rows.at(-1)?.key ?? lastKey
    if (rows.length < TEXT_ROWS_PER_STEP) return
  }
}

/**
 * Returns the columns of a table's current rows that are staged, and the SQL that selects their values. A catalogue that another version of
 * the program built may lack the newest columns, and may have other search texts, which are computed anew.
 */
async function selectCurrentRows(staging: ImportStaging, table: MergedTable) {
  const sourceTable = `catalogue.${table} c`
  if (!staging.isCatalogueOutdated)
    return {
      columns: joinColumnNames(importedColumns[table]),
      values: joinColumnNames(importedColumns[table]),
      source: sql.raw(sourceTable),
    }
  await stageSearchTexts(staging, table)
  const isTextColumn = (name: string) => searchTextColumns[table].includes(name)
  const presentColumns = await staging.listColumns(table)
  const columnNames = importedColumns[table].filter((name) => isTextColumn(name) || presentColumns.includes(name))
  return {
    columns: joinColumnNames(columnNames),
    values: joinColumnNames(columnNames.map((name) => (isTextColumn(name) ? `t.${name}` : `c.${name}`))),
    source: sql.raw(`${sourceTable} join staged_texts t on t.seq = -c.${keyColumnByMergedTable[table]}`),
  }
}

/** Adds the current catalogue's songs and playlists that the file does not contain. If several rows of the file have the same id, the last one is used. */
async function mergeWithCurrent(staging: ImportStaging): Promise<void> {
  const { queries } = staging
  const songRows = await selectCurrentRows(staging, 'songs')
  await sql`create index staged_songs_by_id on staged_songs (youtube_id, seq)`.execute(queries)
  await sql`delete from staged_songs where exists (
    select 1 from staged_songs later where later.youtube_id = staged_songs.youtube_id and later.seq > staged_songs.seq)`.execute(queries)
  await sql`insert into staged_songs (seq, ${songRows.columns}) select -rank, ${songRows.values} from ${songRows.source}
    where not exists (select 1 from staged_songs s where s.youtube_id = c.youtube_id)`.execute(queries)
  await sql`update staged_songs set duration = (select d.duration from learned_durations d where d.song_id = staged_songs.youtube_id)
    where duration is null and youtube_id in (select song_id from learned_durations)`.execute(queries)
  await sql`create index staged_playlists_by_id on staged_playlists (id, seq)`.execute(queries)
  await sql`delete from staged_playlists where exists (
    select 1 from staged_playlists later where later.id = staged_playlists.id and later.seq > staged_playlists.seq)`.execute(queries)
  const playlistRows = await selectCurrentRows(staging, 'contexts')
  await sql`insert into staged_playlists (seq, ${playlistRows.columns}) select -no, ${playlistRows.values} from ${playlistRows.source}
    where c.kind = ${sql.lit(contextKinds.playlist)} and not exists (select 1 from staged_playlists p where p.id = c.id)`.execute(queries)
  await sql`insert into staged_playlist_songs (playlist_seq, position, song_id)
    select p.seq, cs.position, s.youtube_id from staged_playlists p
    join catalogue.context_songs cs on cs.context_no = -p.seq
    join catalogue.songs s on s.rank = cs.song_rank
    where p.seq < 0`.execute(queries)
}

async function refuseUnknownSongs(queries: Queries): Promise<void> {
  const { rows } = await sql<{ seq: number; position: number; song_id: string }>`
    select p.seq, ps.position, ps.song_id from staged_playlists p join staged_playlist_songs ps on ps.playlist_seq = p.seq
    where not exists (select 1 from staged_songs s where s.youtube_id = ps.song_id)
    order by p.seq, ps.position limit 1`.execute(queries)
  const [missingRow] = rows
  if (missingRow === undefined) return
  throw new ImportError(
    `${formatRowName('playlists', missingRow.seq)}.songs[${missingRow.position}]: there is no song '${missingRow.song_id}'`,
  )
}

async function buildSongs(queries: Queries): Promise<void> {
  await sql`insert into catalogue_next.songs (rank, ${importedSongColumns})
    select row_number() over (order by title_folded, title, youtube_id), ${importedSongColumns} from staged_songs
    order by title_folded, title, youtube_id`.execute(queries)
}

async function buildPlaylists(queries: Queries): Promise<void> {
  await sql`insert into catalogue_next.contexts (no, kind, song_count, ${importedPlaylistColumns})
    select row_number() over (order by song_count = 0, title_folded, id), ${sql.lit(contextKinds.playlist)}, song_count, ${importedPlaylistColumns}
    from (select p.*, (select count(*) from staged_playlist_songs ps where ps.playlist_seq = p.seq) as song_count
      from staged_playlists p) counted`.execute(queries)
  await sql`insert into catalogue_next.context_songs (context_no, position, song_rank)
    select c.no, row_number() over (partition by c.no order by ps.position), s.rank
    from catalogue_next.contexts c
    join staged_playlists p on p.id = c.id
    join staged_playlist_songs ps on ps.playlist_seq = p.seq
    join catalogue_next.songs s on s.youtube_id = ps.song_id`.execute(queries)
}

/**
 * Returns the SQL that orders songs of `catalogue_next`, the newest first. A song whose date is in the future, mostly by mistake, would otherwise stay the
 * newest song for years: such songs come last.
 */
const createNewestFirstSql = () => sql`date_added > ${sql.lit(Date.now())}, date_added desc, rank`

interface ComputedPlaylist {
  id: string
  title: string
  label: string
}

/** Builds a computed playlist from the songs that `ranksSql` selects. A playlist without songs is not inserted. */
async function buildComputedPlaylist(
  queries: Queries,
  { id, title, label }: ComputedPlaylist,
  ranksSql: ReturnType<typeof sql>,
): Promise<void> {
  await sql`insert into catalogue_next.contexts (no, kind, song_count, id, title, title_folded, title_spellings, category_id, category_name,
      description, description_url, image_url, special, home)
    select (select coalesce(max(no), 0) + 1 from catalogue_next.contexts), ${sql.lit(contextKinds.computed)}, 0, ${id}, ${title},
      ${title.toLowerCase()}, '', ${id}, ${label}, '', '', '', 0, 1
    where exists (${ranksSql})`.execute(queries)
  await sql`insert into catalogue_next.context_songs (context_no, position, song_rank)
    select c.no, row_number() over (order by ${createNewestFirstSql()}), s.rank
    from catalogue_next.contexts c cross join catalogue_next.songs s
    where c.id = ${id} and c.kind = ${sql.lit(contextKinds.computed)} and s.rank in (${ranksSql})`.execute(queries)
}

/** Builds one context per category, with its songs newest first. The category's name is the category name of its newest song. */
async function buildCategories(queries: Queries): Promise<void> {
  await sql`insert into catalogue_next.contexts (no, kind, song_count, id, title, title_folded, title_spellings, category_id, category_name,
      description, description_url, image_url, special, home)
    select (select coalesce(max(no), 0) from catalogue_next.contexts) + row_number() over (order by category_id),
      ${sql.lit(contextKinds.category)}, 0, category_id, category_name, '', '', category_id, category_name, '', '', '', 0, 0
    from (select category_id, category_name, row_number() over (partition by category_id order by ${createNewestFirstSql()}) as place
      from catalogue_next.songs) placed
    where place = 1`.execute(queries)
  await sql`insert into catalogue_next.context_songs (context_no, position, song_rank)
    select c.no, row_number() over (partition by c.no order by ${createNewestFirstSql()}), s.rank
    from catalogue_next.songs s
    join catalogue_next.contexts c on c.id = s.category_id and c.kind = ${sql.lit(contextKinds.category)}`.execute(queries)
}

/** Builds one artist per folded author name. The name shown is the first of its spellings in code point order. */
async function buildArtists(queries: Queries): Promise<void> {
  await sql`insert into catalogue_next.artists (no, folded, spellings, name, song_count)
    select row_number() over (order by author_folded), author_folded, max(author_spellings), min(author_name), count(*)
    from catalogue_next.songs where author_folded <> '' group by author_folded`.execute(queries)
}

async function updateTotals(queries: Queries): Promise<void> {
  await sql`update catalogue_next.contexts set
    song_count = (select count(*) from catalogue_next.context_songs cs where cs.context_no = no),
    duration = (select sum(s.duration) from catalogue_next.context_songs cs
      join catalogue_next.songs s on s.rank = cs.song_rank where cs.context_no = no),
    first_song = (select s.youtube_id from catalogue_next.context_songs cs
      join catalogue_next.songs s on s.rank = cs.song_rank where cs.context_no = no and cs.position = 1)`.execute(queries)
  await sql`insert into catalogue_next.totals (songs, explorable)
    select (select count(*) from catalogue_next.songs),
      (select count(*) from catalogue_next.contexts where kind = ${sql.lit(contextKinds.playlist)} and song_count > 0)`.execute(queries)
}

/**
 * Builds `catalogue_next` from the staged rows and the current catalogue, without what admins have hidden, and with the change `edit` of an admin.
 * Returns a job for the transaction that publishes the catalogue: the job stores the staged rows of what is hidden.
 * @throws ImportError if a playlist contains the id of a song that is in neither
 */
export async function buildCatalogue(staging: ImportStaging, edit?: CatalogueEdit): Promise<(queries: Queries) => Promise<void>> {
  const { queries, kind } = staging
  const createIndexes = async (table: IndexedTable) => {
    for (const statement of createCatalogueIndexesSql(kind, 'catalogue_next', table)) await sql.raw(statement).execute(queries)
  }
  await mergeWithCurrent(staging)
  if (edit !== undefined) await applyEdit(queries, edit)
  const storeHiddenRows = await withholdHiddenRows(queries, edit)
  await nameCategories(queries, edit)
  await refuseUnknownSongs(queries)
  await buildSongs(queries)
  await createIndexes('songs')
  await createIndexes('contexts')
  await buildPlaylists(queries)
  await buildComputedPlaylist(
    queries,
    { id: NEW_SONGS_PLAYLIST_ID, title: 'New songs', label: 'New' },
    sql`select rank from (select rank from catalogue_next.songs where date_added <= ${sql.lit(Date.now())} order by date_added desc, rank limit ${sql.lit(NEW_PLAYLIST_SONG_COUNT)}) newest`,
  )
  await buildComputedPlaylist(
    queries,
    { id: NETWORK_SONGS_PLAYLIST_ID, title: 'Network songs', label: 'Network' },
    sql`select rank from catalogue_next.songs
      where author_channel_id in (select channel_id from members union all select channel_id from staged_members)`,
  )
  await buildCategories(queries)
  await createIndexes('context_songs')
  await buildArtists(queries)
  await createIndexes('artists')
  await updateTotals(queries)
  const { rows } = await sql<{ songs: number }>`select songs from catalogue_next.totals`.execute(queries)
  await staging.indexSongs(rows[0]?.songs ?? 0)
  return storeHiddenRows
}
