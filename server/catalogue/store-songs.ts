import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Expression, sql } from 'kysely'
import { FAVORITES_ID } from '../../contract/computed-playlists.ts'
import type { Song, SongDetail } from '../../contract/song.ts'
import { foldText } from '../../contract/text.ts'
import type { Database, TextSearch } from '../storage/database.ts'
import type { Pagination } from '../storage/pagination.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import { type ContextsTable, contextKinds, type SongsTable } from '../storage/schema.ts'
import { createContexts } from './store-contexts.ts'
import { createFavoritePlaces } from './store-favorite-places.ts'
import { createPlays, type PlayStore } from './store-plays.ts'
import { createRandomSongs, type PickRandomSong } from './store-random-songs.ts'
import { createRelatedSongs, type ListRelatedSongs } from './store-related-songs.ts'
import { type Neighbour, type NeighbourRole, readSongRows, type SongRow, type SongView, songColumns, songOf } from './store-song-rows.ts'
import { createUnplayable, type UnplayableStore } from './store-unplayable.ts'

export interface SongSearch extends Pagination {
  /** Text as the user typed it. The store folds case and diacritics. */
  text: string
  artistOnly: boolean
  orderBy: 'title' | 'date_added'
  direction: 'ASC' | 'DESC'
}

/** The songs of the catalogue, with the plays of each and the reports about it. */
export interface SongStore extends PlayStore, UnplayableStore {
  /**
   * Returns the song with its neighbours in a context: the playlist or category `contextId`, or else the song's own category. Returns
   * `undefined` if the song does not exist. `uid` is the account whose favorites the context `favorite` lists and `SongDetail.favorite` reads.
   */
  get(songId: string, contextId: string | undefined, view: SongView, uid?: string): Promise<SongDetail | undefined>
  /** Returns the matching songs; an empty list if the text has no letters or digits. */
  search(search: SongSearch, view: SongView): Promise<Song[]>
  /** Returns the songs of these ranks of the current catalogue, in this order. */
  listByRanks(ranks: readonly number[], view: SongView): Promise<Song[]>
  listRelated: ListRelatedSongs
  /** Returns the newest songs of the channels, filled up with the newest of all to `limit`. */
  listNewest(channelIds: readonly string[], limit: number, view: SongView): Promise<Song[]>
  pickRandom: PickRandomSong
}

/** The number of songs that are read at once, so that other requests do not wait for a long list. */
const READ_ROWS = 500

type DescribedSong = SongRow & Pick<SongsTable, 'description'>

/** A context of a song, and the song's neighbours in it. */
interface ContextPlace {
  context: Pick<ContextsTable, 'id' | 'title'>
  neighbours: readonly Neighbour[]
}

const MAX_SEARCH_ATTEMPTS = 3

export function createSongStore(database: Database): SongStore {
  const { queries } = database
  const contexts = createContexts(queries)
  const favoritePlaces = createFavoritePlaces(queries)

  const songById = prepareQuery<{ id: string }, DescribedSong>(queries, ['id'], ({ id }) =>
    queries
      .selectFrom('catalogue.songs as s')
      .select([...songColumns, 's.description'])
      .where('s.youtube_id', '=', id),
  )
  const placeById = prepareQuery<{ id: string; rank: number }, ContextsTable & { position: number }>(
    queries,
    ['id', 'rank'],
    ({ id, rank }) =>
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

  const placeInContext = async (context: ContextsTable & { position: number }): Promise<ContextPlace> => ({
    context,
    neighbours: await neighboursAt({ no: context.no, position: context.position }),
  })

  /** Returns the song's place in the requested context, or in its category if the context does not contain the song. */
  async function findPlace(song: DescribedSong, contextId: string | undefined, uid: string | undefined): Promise<ContextPlace | undefined> {
    if (contextId === FAVORITES_ID) {
      const favoriteNeighbours = uid === undefined ? undefined : await favoritePlaces.neighbours(uid, song.youtube_id)
      if (favoriteNeighbours !== undefined) return { context: { id: FAVORITES_ID, title: 'Favorites' }, neighbours: favoriteNeighbours }
    } else if (contextId !== undefined) {
      const context = await contexts.find(contextId)
      const [requestedRow] = context === undefined ? [] : await placeById({ id: contextId, rank: song.rank })
      if (requestedRow !== undefined && requestedRow.kind === context?.kind) return placeInContext(requestedRow)
    }
    const [categoryRow] = await categoryPlace({ id: song.category_id, rank: song.rank })
    return categoryRow && placeInContext(categoryRow)
  }
  const categoryPlace = prepareQuery<{ id: string; rank: number }, ContextsTable & { position: number }>(
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

  function toSongDetail(song: DescribedSong, { context, neighbours }: ContextPlace, view: SongView): SongDetail {
    const findNeighbour = (role: NeighbourRole) => neighbours.find((row) => row.role === role)
    const firstSong = findNeighbour('first')
    const previous = findNeighbour('previous')
    // If no other song is playable, the next song is the song itself.
    const next = findNeighbour('next') ?? firstSong ?? song
    return {
      ...songOf(song, view),
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

  const songsByAuthor = (column: 'rank' | 'date_added', order: 'asc' | 'desc') =>
    prepareQuery<{ name: string; limit: number; offset: number }, { rank: number }>(
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
  const authorByTitle = { ASC: songsByAuthor('rank', 'asc'), DESC: songsByAuthor('rank', 'desc') }
  const authorByDate = { ASC: songsByAuthor('date_added', 'asc'), DESC: songsByAuthor('date_added', 'desc') }
  const countByAuthor = prepareQuery<{ name: string }, { count: number }>(queries, ['name'], ({ name }) =>
    queries
      .selectFrom('catalogue.songs')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('author_folded', '=', name),
  )

  async function findRanks(search: SongSearch): Promise<number[]> {
    const foldedText = foldText(search.text)
    if (foldedText === '') return []
    const words = [...new Set(foldedText.split(' '))]
    const { artistOnly, orderBy, direction, limit, offset } = search
    const textSearch: TextSearch = { words, artistOnly, orderBy, direction, limit, offset }
    if (!artistOnly) return database.dialect.searchRanks(queries, textSearch)
    const authorPage = { name: foldedText, limit, offset }
    const exactMatches = await (orderBy === 'title' ? authorByTitle : authorByDate)[direction](authorPage)
    if (exactMatches.length === limit) return exactMatches.map((row) => row.rank)
    const [authorTotal] = offset === 0 ? [] : await countByAuthor({ name: foldedText })
    const otherMatches = await database.dialect.searchRanks(queries, {
      ...textSearch,
      excludedAuthor: foldedText,
      limit: limit - exactMatches.length,
      offset: Math.max(0, offset - (authorTotal?.count ?? 0)),
    })
    return [...exactMatches.map((row) => row.rank), ...otherMatches]
  }

  async function listByRanks(ranks: readonly number[], view: SongView): Promise<Song[]> {
    const songs: Song[] = []
    for (let start = 0; start < ranks.length; start += READ_ROWS) {
      const readRanks = ranks.slice(start, start + READ_ROWS)
      const byRank = new Map((await readSongRows(database, readRanks)).map((row) => [row.rank, row]))
      for (const rank of readRanks) {
        const row = byRank.get(rank)
        if (row !== undefined) songs.push(songOf(row, view))
      }
      if (start + READ_ROWS < ranks.length) await nextTurn()
    }
    return songs
  }

  /** Repeats a search during which the catalogue changed, because songs of another catalogue have other ranks. */
  async function findStableRanks(search: SongSearch): Promise<number[]> {
    for (let attempt = 1; ; attempt++) {
      const revision = database.revision()
      const ranks = await findRanks(search)
      if (database.revision() === revision || attempt === MAX_SEARCH_ATTEMPTS) return ranks
    }
  }

  async function listNewest(channelIds: readonly string[], limit: number, view: SongView): Promise<Song[]> {
    const newest = queries.selectFrom('catalogue.songs as s').select(songColumns).orderBy('s.date_added', 'desc').orderBy('s.rank', 'desc')
    const ownRows = channelIds.length === 0 ? [] : await newest.where('s.author_channel_id', 'in', channelIds).limit(limit).execute()
    const allRows = ownRows.length === limit ? [] : await newest.limit(limit).execute()
    const ownIds = new Set(ownRows.map(({ youtube_id }) => youtube_id))
    return [...ownRows, ...allRows.filter(({ youtube_id }) => !ownIds.has(youtube_id))].slice(0, limit).map((row) => songOf(row, view))
  }

  return {
    listNewest,
    get: async (songId, contextId, view, uid) => {
      const [song] = await songById({ id: songId })
      const songPlace = song && (await findPlace(song, contextId, uid))
      const foundSong = song && songPlace && toSongDetail(song, songPlace, view)
      return foundSong && uid !== undefined ? { ...foundSong, favorite: await favoritePlaces.has(uid, songId) } : foundSong
    },
    listByRanks,
    search: async (search, view) => listByRanks(await findStableRanks(search), view),
    listRelated: createRelatedSongs(database),
    pickRandom: createRandomSongs(queries, contexts),
    ...createPlays(database, contexts),
    ...createUnplayable(database),
  }
}
