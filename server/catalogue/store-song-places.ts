import { type Expression, sql } from 'kysely'
import { FAVORITES_CONTEXT_ID } from '../../contract/playlist-rules.ts'
import type { SongDetail } from '../../contract/song.ts'
import type { Queries } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import { type ContextKind, type ContextsTable, contextKinds, type SongsTable } from '../storage/schema.ts'
import type { SongContextStore } from './store-contexts.ts'
import type { FavoritePlaceReader } from './store-favorite-places.ts'
import { type Neighbour, type NeighbourRole, type SongReadOptions, type SongRow, toSong } from './store-song-rows.ts'

export type SongRowWithDescription = SongRow & Pick<SongsTable, 'description'>

/** A context of a song, and the song's neighbours in it. */
interface ContextPlace {
  context: Pick<ContextsTable, 'id' | 'title'>
  neighbours: readonly Neighbour[]
}

/** Returns the song with its neighbours, and with `favorite` set to false. */
export function toSongDetail(song: SongRowWithDescription, { context, neighbours }: ContextPlace, view: SongReadOptions): SongDetail {
  const findNeighbour = (role: NeighbourRole) => neighbours.find((row) => row.role === role)
  const firstSong = findNeighbour('first')
  const previous = findNeighbour('previous')
  // If no other song is playable, the next song is the song itself.
  const next = findNeighbour('next') ?? firstSong ?? song
  return {
    ...toSong(song, view),
    description: song.description,
    context_id: context.id,
    context_title: context.title,
    first_song: firstSong?.youtube_id ?? song.youtube_id,
    next: next.youtube_id,
    next_title: next.title,
    ...(previous === undefined ? {} : { previous: previous.youtube_id }),
    favorite: false,
  }
}

interface SongPlacesDeps {
  queries: Queries
  contexts: SongContextStore
  favoritePlaces: FavoritePlaceReader
}

/** Finds the place of songs in playlists, categories and favorites. */
export function createSongPlaceFinder({ queries, contexts, favoritePlaces }: SongPlacesDeps) {
  const findPlaceIn = prepareQuery<{ id: string; kind: ContextKind; rank: number }, ContextsTable & { position: number }>(
    queries,
    ['id', 'kind', 'rank'],
    ({ id, kind, rank }) =>
      queries
        .selectFrom('catalogue.contexts as c')
        .innerJoin('catalogue.context_songs as cs', 'cs.context_no', 'c.no')
        .selectAll('c')
        .select('cs.position')
        .where('c.id', '=', id)
        .where('c.kind', '=', kind)
        .where('cs.song_rank', '=', rank),
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

  /** Returns the song's place in the context of an id and kind; undefined if the context does not contain the song. */
  async function placeInContext({ rank }: SongRowWithDescription, id: string, kind: ContextKind): Promise<ContextPlace | undefined> {
    const [context] = await findPlaceIn({ id, kind, rank })
    return context && { context, neighbours: await neighboursAt({ no: context.no, position: context.position }) }
  }

  async function placeInRequested(
    song: SongRowWithDescription,
    contextId: string,
    uid: string | undefined,
  ): Promise<ContextPlace | undefined> {
    if (contextId === FAVORITES_CONTEXT_ID) {
      const neighbours = uid === undefined ? undefined : await favoritePlaces.neighbours(uid, song.youtube_id)
      return neighbours && { context: { id: FAVORITES_CONTEXT_ID, title: 'Favorites' }, neighbours }
    }
    const context = await contexts.find(contextId)
    return context && placeInContext(song, contextId, context.kind)
  }

  return {
    /** Returns the song's place in the requested context, or in its category if the context does not contain the song. */
    async findPlace(
      song: SongRowWithDescription,
      contextId: string | undefined,
      uid: string | undefined,
    ): Promise<ContextPlace | undefined> {
      const requestedPlace = contextId === undefined ? undefined : await placeInRequested(song, contextId, uid)
      return requestedPlace ?? placeInContext(song, song.category_id, contextKinds.category)
    },
  }
}
