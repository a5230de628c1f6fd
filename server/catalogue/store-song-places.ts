import { type Expression, sql } from 'kysely'
import { FAVORITES_CONTEXT_ID } from '../../contract/playlist-rules.ts'
import type { SongDetail } from '../../contract/song.ts'
import type { Queries } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import { type ContextSongsTable, type ContextsTable, contextKinds, type SongsTable } from '../storage/schema.ts'
import type { SongContextStore } from './store-contexts.ts'
import type { FavoritePlaceReader } from './store-favorite-places.ts'
import { type Neighbour, type NeighbourRole, type SongReadOptions, type SongRow, songColumns, toSong } from './store-song-rows.ts'

/** A song with its position in the context of its category. */
interface SongInCategoryRow extends SongRow, Pick<SongsTable, 'description'> {
  category_no: number
  category_title: string
  category_position: number
}

/** A context of a song, and the song's neighbours in it. */
interface ContextPlace {
  context: Pick<ContextsTable, 'id' | 'title'>
  neighbours: readonly Neighbour[]
}

/** Returns the song with its neighbours. */
export function toSongDetail(
  song: SongInCategoryRow,
  { context, neighbours }: ContextPlace,
  view: SongReadOptions,
  isFavorite: boolean,
): SongDetail {
  const findNeighbour = (role: NeighbourRole) => neighbours.find((row) => row.role === role)
  const firstSong = findNeighbour('first')
  const previous = findNeighbour('previous')
  // If no other song is playable, the next song is the song itself.
  const next = findNeighbour('next') ?? firstSong ?? song
  const detail: SongDetail = Object.assign(toSong(song, view), {
    description: song.description,
    context_id: context.id,
    context_title: context.title,
    first_song: firstSong?.youtube_id ?? song.youtube_id,
    next: next.youtube_id,
    next_title: next.title,
    favorite: isFavorite,
  })
  if (previous !== undefined) detail.previous = previous.youtube_id
  return detail
}

interface SongPlacesDeps {
  queries: Queries
  contexts: SongContextStore
  favoritePlaces: FavoritePlaceReader
}

/** Reads songs, and finds their places in playlists, categories and favorites. */
export function createSongPlaceFinder({ queries, contexts, favoritePlaces }: SongPlacesDeps) {
  const songById = prepareQuery<{ id: string }, SongInCategoryRow>(queries, ['id'], ({ id }) =>
    queries
      .selectFrom('catalogue.songs as s')
      .innerJoin('catalogue.contexts as c', (join) =>
        join.onRef('c.id', '=', 's.category_id').on('c.kind', '=', sql.lit(contextKinds.category)),
      )
      .innerJoin('catalogue.context_songs as cs', (join) => join.onRef('cs.song_rank', '=', 's.rank').onRef('cs.context_no', '=', 'c.no'))
      .select([...songColumns, 's.description', 'c.no as category_no', 'c.title as category_title', 'cs.position as category_position'])
      .where('s.youtube_id', '=', id),
  )
  const positionIn = prepareQuery<{ no: number; rank: number }, Pick<ContextSongsTable, 'position'>>(
    queries,
    ['no', 'rank'],
    ({ no, rank }) =>
      queries.selectFrom('catalogue.context_songs').select('position').where('song_rank', '=', rank).where('context_no', '=', no),
  )
  /** Selects the first playable song of the context whose position satisfies the comparison, nearest position first. */
  const selectNeighbour = (no: Expression<number>, comparison: '>' | '<', position: Expression<number>, role: NeighbourRole) =>
    queries
      .selectFrom('catalogue.context_songs as cs')
      .innerJoin('catalogue.songs as s', 's.rank', 'cs.song_rank')
      .select(['s.youtube_id', 's.title', sql.lit(role).as('role')])
      .where('cs.context_no', '=', no)
      .where('cs.position', comparison, position)
      .where((eb) =>
        eb.not(eb.exists(eb.selectFrom('unplayable_songs as u').select('u.song_id').whereRef('u.song_id', '=', 's.youtube_id'))),
      )
      .orderBy('cs.position', comparison === '>' ? 'asc' : 'desc')
      .limit(1)
  const neighboursAt = prepareQuery<{ no: number; position: number }, Neighbour>(queries, ['no', 'position'], ({ no, position }) =>
    queries
      .selectFrom(selectNeighbour(no, '>', sql.lit(0), 'first').as('f'))
      .selectAll()
      .unionAll(queries.selectFrom(selectNeighbour(no, '>', position, 'next').as('n')).selectAll())
      .unionAll(queries.selectFrom(selectNeighbour(no, '<', position, 'previous').as('p')).selectAll()),
  )

  async function placeInRequested(song: SongInCategoryRow, contextId: string, uid: string | undefined): Promise<ContextPlace | undefined> {
    if (contextId === FAVORITES_CONTEXT_ID) {
      const neighbours = uid === undefined ? undefined : await favoritePlaces.neighbours(uid, song.youtube_id)
      return neighbours && { context: { id: FAVORITES_CONTEXT_ID, title: 'Favorites' }, neighbours }
    }
    const context = await contexts.find(contextId)
    const [row] = context === undefined ? [] : await positionIn({ no: context.no, rank: song.rank })
    return context && row && { context, neighbours: await neighboursAt({ no: context.no, position: row.position }) }
  }

  return {
    /** Returns the song with its description and its position in its category; undefined if the song does not exist. */
    findSong: async (songId: string): Promise<SongInCategoryRow | undefined> => (await songById({ id: songId }))[0],
    /** Returns the song's place in the requested context, or in its category if the context does not contain the song. */
    async findPlace(song: SongInCategoryRow, contextId: string | undefined, uid: string | undefined): Promise<ContextPlace> {
      const requestedPlace = contextId === undefined ? undefined : await placeInRequested(song, contextId, uid)
      if (requestedPlace !== undefined) return requestedPlace
      const neighbours = await neighboursAt({ no: song.category_no, position: song.category_position })
      return { context: { id: song.category_id, title: song.category_title }, neighbours }
    },
  }
}
