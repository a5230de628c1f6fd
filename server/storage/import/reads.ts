import type { ImportRow } from '../../../contract/import.ts'
import type { Database } from '../database.ts'
import { contextKinds } from '../schema.ts'

/** The maximum number of song ids in one query, because databases limit the number of parameters. */
const IDS_PER_QUERY = 500

/** Creates functions that read the catalogue in the form of import rows, for imports that build on existing rows. */
export function createCatalogueReads({ queries }: Database) {
  const playlists = queries.selectFrom('catalogue.contexts').where('kind', '=', contextKinds.playlist)
  return {
    /** Lists the ids of the playlists, without the computed ones. */
    listPlaylistIds: async (): Promise<string[]> => (await playlists.select('id').orderBy('id').execute()).map(({ id }) => id),

    /** Returns a playlist in the form of an import row; `undefined` if the id is unknown or belongs to a computed playlist. */
    readPlaylist: async (playlistId: string): Promise<ImportRow<'playlists'> | undefined> => {
      const row = await playlists.selectAll().where('id', '=', playlistId).executeTakeFirst()
      if (row === undefined) return undefined
      const songs = await queries
        .selectFrom('catalogue.context_songs as cs')
        .innerJoin('catalogue.songs as s', 's.rank', 'cs.song_rank')
        .select('s.youtube_id')
        .where('cs.context_no', '=', row.no)
        .orderBy('cs.position')
        .execute()
      const { id, title, category_id, category_name, description, description_url, image_url, special, home } = row
      const texts = { id, title, category_id, category_name, description, description_url, image_url }
      return {
        ...texts,
        special: special === 1,
        home: home === 1,
        songs: songs.map((song) => song.youtube_id),
      } satisfies ImportRow<'playlists'>
    },

    /** Returns the given ids whose songs are in the catalogue and have a duration. */
    listCompleteSongs: async (songIds: readonly string[]): Promise<ReadonlySet<string>> => {
      const complete = new Set<string>()
      for (let first = 0; first < songIds.length; first += IDS_PER_QUERY) {
        const rows = await queries
          .selectFrom('catalogue.songs')
          .select('youtube_id')
          .where('youtube_id', 'in', songIds.slice(first, first + IDS_PER_QUERY))
          .where('duration', 'is not', null)
          .execute()
        for (const row of rows) complete.add(row.youtube_id)
      }
      return complete
    },

    /** Lists the channel ids of all members, including those of the Academy. */
    listMemberChannels: async (): Promise<string[]> => {
      const rows = await queries.selectFrom('members').select('channel_id').orderBy('channel_id').execute()
      return rows.map((row) => row.channel_id)
    },
  }
}
