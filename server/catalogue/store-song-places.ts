import { type Expression, sql } from 'kysely'
import { FAVORITES_CONTEXT_ID } from '../../contract/playlist-rules.ts'
import type { SongDetail } from '../../contract/song.ts'
import type { Queries } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import { contextKinds, type SongsTable } from '../storage/schema.ts'
import type { FavoritePlaceReader } from './store-favorite-places.ts'
import { type Neighbours, type SongReadOptions, type SongRow, songColumns, toSong } from './store-song-rows.ts'

/** A song with its description, a context that contains it, and its neighbours there. */
interface PlacedSongRow extends SongRow, Pick<SongsTable, 'description'>, Neighbours {
  context_id: string
  context_title: string
}

export function toSongDetail(song: PlacedSongRow, readOptions: SongReadOptions, isFavorite: boolean): SongDetail {
  const firstSongId = song.first_song ?? song.youtube_id
  const detail: SongDetail = Object.assign(toSong(song, readOptions), {
    description: song.description,
    context_id: song.context_id,
    context_title: song.context_title,
    first_song: firstSongId,
    // After the last song, the first one is next. If no song is playable, the next song is the song itself.
    next: song.next ?? firstSongId,
    next_title: song.next_title ?? song.first_title ?? song.title,
    favorite: isFavorite,
  })
  if (song.previous !== null) detail.previous = song.previous
  return detail
}

/** Reads songs with their places in playlists, categories and favorites. */
export function createPlacedSongReader(queries: Queries, favoritePlaces: FavoritePlaceReader) {
  /** Selects the rank of the first playable song of the context whose position satisfies the comparison, nearest position first. */
  const selectNeighbour = (comparisonOperator: '>' | '<', songPosition: Expression<number>) =>
    queries
      .selectFrom('catalogue.context_songs as x')
      .innerJoin('catalogue.songs as y', 'y.rank', 'x.song_rank')
      .select('x.song_rank')
      .where('x.context_no', '=', sql<number>`c.no`)
      .where('x.position', comparisonOperator, songPosition)
      .where((eb) =>
        eb.not(eb.exists(eb.selectFrom('unplayable_songs as u').select('u.song_id').whereRef('u.song_id', '=', 'y.youtube_id'))),
      )
      .orderBy('x.position', comparisonOperator === '>' ? 'asc' : 'desc')
      .limit(sql.lit(1))
  const currentPosition = sql<number>`cs.position`
  const placedSongs = queries
    .selectFrom('catalogue.songs as s')
    .innerJoin('catalogue.context_songs as cs', 'cs.song_rank', 's.rank')
    .innerJoin('catalogue.contexts as c', 'c.no', 'cs.context_no')
    .leftJoin('catalogue.songs as f', (join) => join.on('f.rank', '=', selectNeighbour('>', sql.lit(0))))
    .leftJoin('catalogue.songs as n', (join) => join.on('n.rank', '=', selectNeighbour('>', currentPosition)))
    .leftJoin('catalogue.songs as p', (join) => join.on('p.rank', '=', selectNeighbour('<', currentPosition)))
    .select([...songColumns, 's.description', 'c.id as context_id', 'c.title as context_title'])
    .select([
      'f.youtube_id as first_song',
      'f.title as first_title',
      'n.youtube_id as next',
      'n.title as next_title',
      'p.youtube_id as previous',
    ])
  const findSongInCategory = prepareQuery<{ songId: string }, PlacedSongRow>(queries, ['songId'], ({ songId }) =>
    placedSongs
      .whereRef('c.id', '=', 's.category_id')
      .where('c.kind', '=', sql.lit(contextKinds.category))
      .where('s.youtube_id', '=', songId),
  )
  // If a playlist and a category have the same id, the playlist is read.
  const findSongInContext = prepareQuery<{ songId: string; contextId: string }, PlacedSongRow>(
    queries,
    ['songId', 'contextId'],
    ({ songId, contextId }) => placedSongs.where('c.id', '=', contextId).where('s.youtube_id', '=', songId).orderBy('c.kind').limit(1),
  )

  /**
   * Returns the song in the requested context, or in its category if no context is requested or the context does not contain the song; undefined if the
   * song does not exist.
   */
  return async (songId: string, songContextId: string | undefined, uid: string | undefined): Promise<PlacedSongRow | undefined> => {
    const isFavoritesContext = songContextId === FAVORITES_CONTEXT_ID
    if (songContextId !== undefined && !isFavoritesContext) {
      const [song] = await findSongInContext({ songId, contextId: songContextId })
      if (song !== undefined) return song
    }
    const [song] = await findSongInCategory({ songId })
    const neighbours = isFavoritesContext && uid !== undefined ? await favoritePlaces.neighbours(uid, songId) : undefined
    return song && neighbours ? { ...song, ...neighbours, context_id: FAVORITES_CONTEXT_ID, context_title: 'Favorites' } : song
  }
}
