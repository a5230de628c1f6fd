import { sql } from 'kysely'
import type { Song } from '../../contract/song.ts'
import type { Database } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import { type ArtistsTable, contextKinds } from '../storage/schema.ts'
import { createSongContextStore } from './store-contexts.ts'
import { type SongReadOptions, songColumns, toSong } from './store-song-rows.ts'

/** The maximum number of listed songs, and the latest date of a listed song (epoch milliseconds): the date of a song may be in the future by mistake. */
interface NewestSongsQuery {
  limit: number
  untilMs: number
}

/** Functions that list the newest songs of artists and playlists. */
export function createNewestSongStore({ queries, dialect }: Database) {
  const contexts = createSongContextStore(queries)
  const findArtistByName = prepareQuery<{ folded: string }, ArtistsTable>(queries, ['folded'], ({ folded }) =>
    queries.selectFrom('catalogue.artists').selectAll().where('folded', '=', folded),
  )

  return {
    /** Returns the name of the artist with a folded name; `undefined` if there is none. */
    findArtistName: async (folded: string): Promise<string | undefined> => (await findArtistByName({ folded }))[0]?.name,

    /** Returns the newest songs of the artists with the given folded names. */
    listOfArtists: async (
      foldedNames: readonly string[],
      { limit, untilMs }: NewestSongsQuery,
      readOptions: SongReadOptions,
    ): Promise<Song[]> => {
      if (foldedNames.length === 0) return []
      const songRows = await queries
        .selectFrom('catalogue.songs as s')
        .select(songColumns)
        .where(sql<boolean>`s.author_folded in ${dialect.listOfTexts(foldedNames)}`)
        .where('s.date_added', '<=', untilMs)
        .orderBy('s.date_added', 'desc')
        .orderBy('s.rank', 'desc')
        .limit(limit)
        .execute()
      return songRows.map((row) => toSong(row, readOptions))
    },

    /** Returns the newest songs of a playlist or category; `undefined` if there is no such playlist. */
    listOfPlaylist: async (
      playlistId: string,
      { limit, untilMs }: NewestSongsQuery,
      readOptions: SongReadOptions,
    ): Promise<Song[] | undefined> => {
      const context = await contexts.find(playlistId)
      if (context === undefined) return undefined
      const songRows = await queries
        .selectFrom('catalogue.context_songs as cs')
        .innerJoin('catalogue.songs as s', 's.rank', 'cs.song_rank')
        .select(songColumns)
        .where('cs.context_no', '=', context.no)
        .where('s.date_added', '<=', untilMs)
        // The songs of categories, which may be very many, are stored in order of date, so that their positions need no sorting.
        .$if(context.kind === contextKinds.playlist, (query) => query.orderBy('s.date_added', 'desc'))
        .orderBy('cs.position')
        .limit(limit)
        .execute()
      return songRows.map((row) => toSong(row, readOptions))
    },
  }
}
