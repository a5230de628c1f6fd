import type { ImportRow } from '../../../contract/import.ts'
import type { Database, Queries } from '../database.ts'
import { contextKinds } from '../schema.ts'
import { toPlaylistRow } from './catalogue-edits.ts'

/** The maximum number of song ids in one query, because databases limit the number of parameters. */
const IDS_PER_QUERY = 500

const selectPlaylists = (queries: Queries) => queries.selectFrom('catalogue.contexts').where('kind', '=', contextKinds.playlist)

/** Returns a playlist in the form of an import row; `undefined` if the id is unknown or belongs to a computed playlist. */
export async function readPlaylistRow(queries: Queries, playlistId: string): Promise<ImportRow<'playlists'> | undefined> {
  const playlistRow = await selectPlaylists(queries).selectAll().where('id', '=', playlistId).executeTakeFirst()
  if (playlistRow === undefined) return undefined
  const songs = await queries
    .selectFrom('catalogue.context_songs as cs')
    .innerJoin('catalogue.songs as s', 's.rank', 'cs.song_rank')
    .select('s.youtube_id')
    .where('cs.context_no', '=', playlistRow.no)
    .orderBy('cs.position')
    .execute()
  return toPlaylistRow(
    playlistRow,
    songs.map((song) => song.youtube_id),
  )
}

/** Creates functions that read the catalogue in the form of import rows, for imports that build on existing rows. */
export function createCatalogueReads({ queries }: Database) {
  return {
    /** Lists the ids of the playlists, without the computed ones. */
    listPlaylistIds: async (): Promise<string[]> =>
      (await selectPlaylists(queries).select('id').orderBy('id').execute()).map(({ id }) => id),

    readPlaylist: (playlistId: string) => readPlaylistRow(queries, playlistId),

    /** Returns the given ids whose songs are in the catalogue and have a duration. */
    listCompleteSongs: async (songIds: readonly string[]): Promise<ReadonlySet<string>> => {
      const completeSongIds = new Set<string>()
      for (let startIndex = 0; startIndex < songIds.length; startIndex += IDS_PER_QUERY) {
        const songRows = await queries
          .selectFrom('catalogue.songs')
          .select('youtube_id')
          .where('youtube_id', 'in', songIds.slice(startIndex, startIndex + IDS_PER_QUERY))
          .where('duration', 'is not', null)
          .execute()
        for (const row of songRows) completeSongIds.add(row.youtube_id)
      }
      return completeSongIds
    },

    /** Lists the channel ids of all members, including those of the Academy. */
    listMemberChannels: async (): Promise<string[]> => {
      const rows = await queries.selectFrom('members').select('channel_id').orderBy('channel_id').execute()
      return rows.map((row) => row.channel_id)
    },
  }
}
