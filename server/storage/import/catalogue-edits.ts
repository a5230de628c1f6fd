import { sql } from 'kysely'
import type { ImportRow } from '../../../contract/import.ts'
import type { Queries } from '../database.ts'
import type { Tables } from '../schema.ts'
import { toStagedPlaylist, toStagedPlaylistSongs, toStagedSong } from './staged-rows.ts'

/** A change of the catalogue by an admin. A returning row is one that was hidden. */
export type CatalogueEdit =
  | { kind: 'remove-song'; id: string }
  | { kind: 'return-song'; row: ImportRow<'songs'> }
  | { kind: 'remove-playlist'; id: string }
  | { kind: 'return-playlist'; row: ImportRow<'playlists'> }
  | { kind: 'rename-category'; id: string; name: string }

/**
 * The `seq` of a row that returns to the catalogue, because an admin no longer hides it. Rows of a file have positive ones, and those of the current
 * catalogue small negative ones.
 */
const RETURNING_ROW_SEQ = -1_000_000_000

const toBoolean = (value: number) => value === 1

type FoldedColumn = 'title_folded' | 'title_spellings' | 'author_folded' | 'author_spellings'

/** Returns a song as a row of an import file. */
export const toSongRow = (songRow: Omit<Tables['catalogue.songs'], 'rank' | FoldedColumn>): ImportRow<'songs'> => ({
  youtube_id: songRow.youtube_id,
  title: songRow.title,
  author_name: songRow.author_name,
  ...(songRow.author_channel_id !== null && { author_channel_id: songRow.author_channel_id }),
  category_id: songRow.category_id,
  category_name: songRow.category_name,
  date_added: new Date(songRow.date_added).toISOString(),
  ...(songRow.duration !== null && { duration: songRow.duration }),
  description: songRow.description,
})

/** Returns a playlist of the catalogue, with the given songs, as a row of an import file. */
export const toPlaylistRow = (playlistRow: Omit<Tables['staged_playlists'], 'seq'>, songIds: string[]): ImportRow<'playlists'> => ({
  id: playlistRow.id,
  title: playlistRow.title,
  category_id: playlistRow.category_id,
  category_name: playlistRow.category_name,
  description: playlistRow.description,
  description_url: playlistRow.description_url,
  image_url: playlistRow.image_url,
  special: toBoolean(playlistRow.special),
  home: toBoolean(playlistRow.home),
  songs: songIds,
})

async function removePlaylist(queries: Queries, playlistId: string): Promise<void> {
  await sql`delete from staged_playlist_songs where playlist_seq in (select seq from staged_playlists where id = ${playlistId})`.execute(
    queries,
  )
  await sql`delete from staged_playlists where id = ${playlistId}`.execute(queries)
}

/** Inserts a song into a staged playlist before the song at the zero-based index `songIndex`, or at the end of a shorter playlist. */
async function insertSongIntoPlaylist(queries: Queries, playlistSeq: number, songId: string, songIndex: number): Promise<void> {
  const fromPlaylistSql = sql`from staged_playlist_songs where playlist_seq = ${playlistSeq}`
  const { rows: knownRows } = await sql`select 1 ${fromPlaylistSql} and song_id = ${songId}`.execute(queries)
  if (knownRows.length > 0) return
  const { rows } = await sql<{
    position: number
  }>`select position ${fromPlaylistSql} order by position limit 1 offset ${songIndex}`.execute(queries)
  const { rows: lastRows } = await sql<{ next: number }>`select coalesce(max(position) + 1, 0) as next ${fromPlaylistSql}`.execute(queries)
  const newPosition = rows[0]?.position ?? lastRows[0]?.next ?? 0
  // The later songs are moved in two steps, because a database may refuse a position that another row still has.
  await sql`update staged_playlist_songs set position = -position - 1 where playlist_seq = ${playlistSeq} and position >= ${newPosition}`.execute(
    queries,
  )
  await sql`update staged_playlist_songs set position = -position where playlist_seq = ${playlistSeq} and position < 0`.execute(queries)
  await queries.insertInto('staged_playlist_songs').values({ playlist_seq: playlistSeq, position: newPosition, song_id: songId }).execute()
}

/** Inserts songs that are shown again, or that were shown again while a playlist was hidden, at their places in the playlists. */
async function insertReturningSongs(queries: Queries, scope: { song_id: string } | { playlist_id: string }): Promise<void> {
  const [[columnName, columnValue] = ['song_id', '']] = Object.entries(scope)
  const { rows } = await sql<{ seq: number; song_id: string; position: number }>`
    select p.seq, h.song_id, h.position from hidden_places h join staged_playlists p on p.id = h.playlist_id
    join staged_songs s on s.youtube_id = h.song_id
    where ${sql.ref(`h.${columnName}`)} = ${columnValue} order by p.seq, h.position`.execute(queries)
  for (const { seq, song_id, position } of rows) await insertSongIntoPlaylist(queries, seq, song_id, position)
}

/** Applies a change to the staged rows, after those of the current catalogue have been added. */
export async function applyEdit(queries: Queries, edit: CatalogueEdit): Promise<void> {
  switch (edit.kind) {
    case 'remove-song':
      await sql`delete from staged_playlist_songs where song_id = ${edit.id}`.execute(queries)
      await sql`delete from staged_songs where youtube_id = ${edit.id}`.execute(queries)
      break
    case 'return-song':
      await queries
        .insertInto('staged_songs')
        .values(toStagedSong(edit.row, RETURNING_ROW_SEQ, edit.row.youtube_id))
        .execute()
      await insertReturningSongs(queries, { song_id: edit.row.youtube_id })
      break
    case 'remove-playlist':
      await removePlaylist(queries, edit.id)
      break
    case 'return-playlist':
      await queries
        .insertInto('staged_playlists')
        .values(toStagedPlaylist(edit.row, RETURNING_ROW_SEQ, edit.row.id))
        .execute()
      for (const song of toStagedPlaylistSongs(edit.row, RETURNING_ROW_SEQ))
        await queries.insertInto('staged_playlist_songs').values(song).execute()
      // A song that was deleted meanwhile is missing; one that is hidden has its place stored by `withholdHiddenRows`.
      await sql`delete from staged_playlist_songs where playlist_seq = ${RETURNING_ROW_SEQ}
        and song_id not in (select youtube_id from staged_songs) and song_id not in (select song_id from hidden_songs)`.execute(queries)
      await insertReturningSongs(queries, { playlist_id: edit.row.id })
      break
    case 'rename-category':
      break
  }
}

/** Names the staged categories as admins have named them. */
export async function nameCategories(queries: Queries, edit: CatalogueEdit | undefined): Promise<void> {
  for (const stagedTable of ['staged_songs', 'staged_playlists']) {
    await sql`update ${sql.raw(stagedTable)} set category_name =
        (select n.name from category_names n where n.category_id = ${sql.raw(stagedTable)}.category_id)
      where category_id in (select category_id from category_names)`.execute(queries)
    if (edit?.kind === 'rename-category')
      await sql`update ${sql.raw(stagedTable)} set category_name = ${edit.name} where category_id = ${edit.id}`.execute(queries)
  }
}

/**
 * Removes the staged rows of hidden songs and playlists, except those that `edit` returns. Returns a job that stores these rows, for the transaction
 * that publishes the catalogue.
 */
export async function withholdHiddenRows(queries: Queries, edit: CatalogueEdit | undefined): Promise<(queries: Queries) => Promise<void>> {
  const returningSong = edit?.kind === 'return-song' ? edit.row.youtube_id : ''
  const returningPlaylist = edit?.kind === 'return-playlist' ? edit.row.id : ''
  const hiddenSongs = sql`(select song_id from hidden_songs where song_id <> ${returningSong})`

  const { rows: playlists } = await sql<Tables['staged_playlists']>`
    select * from staged_playlists where id in (select playlist_id from hidden_playlists where playlist_id <> ${returningPlaylist})`.execute(
    queries,
  )
  const playlistRows: ImportRow<'playlists'>[] = []
  for (const playlistRow of playlists) {
    const { rows } = await sql<{ song_id: string }>`
      select song_id from staged_playlist_songs where playlist_seq = ${playlistRow.seq} order by position`.execute(queries)
    playlistRows.push(
      toPlaylistRow(
        playlistRow,
        rows.map((row) => row.song_id),
      ),
    )
    await removePlaylist(queries, playlistRow.id)
  }

  const { rows: songRows } = await sql<Tables['staged_songs']>`select * from staged_songs where youtube_id in ${hiddenSongs}`.execute(
    queries,
  )
  const { rows: hiddenPlaces } = await sql<Tables['hidden_places']>`
    select p.id as playlist_id, ps.song_id,
      (select count(*) from staged_playlist_songs earlier where earlier.playlist_seq = ps.playlist_seq and earlier.position < ps.position) as position
    from staged_playlist_songs ps join staged_playlists p on p.seq = ps.playlist_seq where ps.song_id in ${hiddenSongs}`.execute(queries)
  await sql`delete from staged_playlist_songs where song_id in ${hiddenSongs}`.execute(queries)
  await sql`delete from staged_songs where youtube_id in ${hiddenSongs}`.execute(queries)

  return async (writeQueries) => {
    for (const hiddenPlaylistRow of playlistRows)
      await writeQueries
        .updateTable('hidden_playlists')
        .set({ row: JSON.stringify(hiddenPlaylistRow) })
        .where('playlist_id', '=', hiddenPlaylistRow.id)
        .execute()
    for (const songRow of songRows)
      await writeQueries
        .updateTable('hidden_songs')
        .set({ row: JSON.stringify(toSongRow(songRow)) })
        .where('song_id', '=', songRow.youtube_id)
        .execute()
    // An imported file replaces the songs of its playlists, and with them the places of hidden songs.
    await sql`delete from hidden_places where playlist_id in (select id from staged_playlists where seq >= 0)`.execute(writeQueries)
    for (const { playlist_id, song_id, position } of hiddenPlaces)
      await writeQueries
        .insertInto('hidden_places')
        .values({ playlist_id, song_id, position: Number(position) })
        .onConflict((conflict) => conflict.columns(['song_id', 'playlist_id']).doUpdateSet({ position: Number(position) }))
        .execute()
  }
}
