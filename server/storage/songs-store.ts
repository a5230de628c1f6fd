import { type Expression, sql } from 'kysely'
import { FAVORITES_ID } from '../../contract/computed-playlists.ts'
import type { SongDetail } from '../../contract/song.ts'
import { foldText } from '../../contract/text.ts'
import { createContexts } from './contexts.ts'
import type { Database, TextSearch } from './database.ts'
import { createFavoritePlaces } from './favorite-places.ts'
import { createPlays } from './plays.ts'
import { prepared } from './prepared.ts'
import { createRandomSongs } from './random-songs.ts'
import { type ContextsTable, contextKinds, type SongsTable } from './schema.ts'
import { type Neighbour, type NeighbourRole, songColumns, songOf } from './song-rows.ts'
import type { SongSearch, SongStore, SongView } from './storage.ts'
import { createUnplayable } from './unplayable.ts'

/** Where a song stands, and what is beside it. */
interface Place {
  context: Pick<ContextsTable, 'id' | 'title'>
  neighbours: readonly Neighbour[]
}

export function createSongStore(database: Database): SongStore {
  const { queries } = database
  const contexts = createContexts(queries)
  const favoritePlaces = createFavoritePlaces(queries)

  const songById = prepared<{ id: string }, SongsTable>(queries, ['id'], ({ id }) =>
    queries.selectFrom('catalogue.songs').selectAll().where('youtube_id', '=', id),
  )
  const placeById = prepared<{ id: string; rank: number }, ContextsTable & { position: number }>(queries, ['id', 'rank'], ({ id, rank }) =>
    queries
      .selectFrom('catalogue.contexts as c')
      .innerJoin('catalogue.context_songs as cs', 'cs.context_no', 'c.no')
      .selectAll('c')
      .select('cs.position')
      .where('c.id', '=', id)
      .where('cs.song_rank', '=', rank)
      .orderBy('c.kind')
      .limit(1),
  )
  /** The first playable song of the context that satisfies the comparison, in that order. */
  const seek = (no: Expression<number>, comparison: '>' | '<', position: Expression<number>, role: NeighbourRole) =>
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
  const neighbours = prepared<{ no: number; position: number }, Neighbour>(queries, ['no', 'position'], ({ no, position }) =>
    queries
      .selectFrom(seek(no, '>', sql.lit(0), 'first').as('f'))
      .selectAll()
      .unionAll(queries.selectFrom(seek(no, '>', position, 'next').as('n')).selectAll())
      .unionAll(queries.selectFrom(seek(no, '<', position, 'previous').as('p')).selectAll()),
  )

  const placed = async (context: ContextsTable & { position: number }): Promise<Place> => ({
    ...{ context, neighbours: await neighbours({ no: context.no, position: context.position }) },
  })

  /** Where the song stands in the context that was asked for, else in its category. */
  async function placeOf(song: SongsTable, contextId: string | undefined, uid: string | undefined): Promise<Place | undefined> {
    if (contextId === FAVORITES_ID) {
      const beside = uid === undefined ? undefined : await favoritePlaces.neighbours(uid, song.youtube_id)
      if (beside !== undefined) return { context: { id: FAVORITES_ID, title: 'Favorites' }, neighbours: beside }
    } else if (contextId !== undefined) {
      const context = await contexts.find(contextId)
      const [asked] = context === undefined ? [] : await placeById({ id: contextId, rank: song.rank })
      if (asked !== undefined && asked.kind === context?.kind) return placed(asked)
    }
    const [own] = await categoryPlace({ id: song.category_id, rank: song.rank })
    return own && placed(own)
  }
  const categoryPlace = prepared<{ id: string; rank: number }, ContextsTable & { position: number }>(
    queries,
    ['id', 'rank'],
    ({ id, rank }) =>
      queries
        .selectFrom('catalogue.contexts as c')
        .innerJoin('catalogue.context_songs as cs', 'cs.context_no', 'c.no')
        .selectAll('c')
        .select('cs.position')
        .where('c.id', '=', id)
        .where('c.kind', '=', contextKinds.category)
        .where('cs.song_rank', '=', rank),
  )

  function detail(song: SongsTable, { context, neighbours }: Place, view: SongView): SongDetail {
    const at = (role: NeighbourRole) => neighbours.find((row) => row.role === role)
    const first = at('first')
    const before = at('previous')
    // Where nothing else can be played, a song is followed by itself.
    const next = at('next') ?? first ?? song
    return {
      ...songOf(song, view),
      description: song.description,
      context_id: context.id,
      context_title: context.title,
      first_song: first?.youtube_id ?? song.youtube_id,
      next: next.youtube_id,
      next_title: next.title,
      ...(before === undefined ? {} : { previous: before.youtube_id }),
      favorite: false,
    }
  }

  const exactAuthor = (column: 'rank' | 'date_added', order: 'asc' | 'desc') =>
    prepared<{ name: string; limit: number; offset: number }, { rank: number }>(
      queries,
      ['name', 'limit', 'offset'],
      ({ name, limit, offset }) =>
        queries
          .selectFrom('catalogue.songs')
          .select('rank')
          .where('author_folded', '=', name)
          .orderBy(column, order)
          .orderBy('rank', order)
          .limit(limit)
          .offset(offset),
    )
  const exactByTitle = { ASC: exactAuthor('rank', 'asc'), DESC: exactAuthor('rank', 'desc') }
  const exactByDate = { ASC: exactAuthor('date_added', 'asc'), DESC: exactAuthor('date_added', 'desc') }
  const countExact = prepared<{ name: string }, { count: number }>(queries, ['name'], ({ name }) =>
    queries
      .selectFrom('catalogue.songs')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('author_folded', '=', name),
  )

  async function ranksOf(search: SongSearch): Promise<number[]> {
    const folded = foldText(search.text)
    if (folded === '') return []
    const words = [...new Set(folded.split(' '))]
    const { artistOnly, orderBy, direction, limit, offset } = search
    const text: TextSearch = { words, artistOnly, orderBy, direction, limit, offset }
    if (!artistOnly) return database.dialect.searchRanks(queries, text)
    const slice = { name: folded, limit, offset }
    const exact = await (orderBy === 'title' ? exactByTitle : exactByDate)[direction](slice)
    if (exact.length === limit) return exact.map((row) => row.rank)
    const [total] = offset === 0 ? [] : await countExact({ name: folded })
    const others = await database.dialect.searchRanks(queries, {
      ...text,
      exceptAuthor: folded,
      limit: limit - exact.length,
      offset: Math.max(0, offset - (total?.count ?? 0)),
    })
    return [...exact.map((row) => row.rank), ...others]
  }

  return {
    get: async (songId, contextId, view, uid) => {
      const [song] = await songById({ id: songId })
      const place = song && (await placeOf(song, contextId, uid))
      const found = song && place && detail(song, place, view)
      return found && uid !== undefined ? { ...found, favorite: await favoritePlaces.has(uid, songId) } : found
    },
    search: async (search, view) => {
      const ranks = await ranksOf(search)
      if (ranks.length === 0) return []
      const rows = await queries
        .selectFrom('catalogue.songs as s')
        .select(songColumns)
        .where(sql<boolean>`s.rank in ${database.dialect.listOf(ranks)}`)
        .execute()
      const byRank = new Map(rows.map((row) => [row.rank, row]))
      return ranks.flatMap((rank) => {
        const row = byRank.get(rank)
        return row === undefined ? [] : [songOf(row, view)]
      })
    },
    random: createRandomSongs(queries, contexts),
    ...createPlays(database, contexts),
    ...createUnplayable(database),
  }
}
