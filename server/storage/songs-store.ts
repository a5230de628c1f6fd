import type { SongDetail } from '../../contract/song.ts'
import { foldText } from '../../contract/text.ts'
import { createContexts } from './contexts.ts'
import type { Database, TextSearch } from './database.ts'
import { createPlays } from './plays.ts'
import { prepared } from './prepared.ts'
import { createRandomSongs } from './random-songs.ts'
import { type ContextsTable, contextKinds, type SongsTable } from './schema.ts'
import { songColumns, songOf } from './song-rows.ts'
import type { SongSearch, SongStore, SongView } from './storage.ts'
import { createUnplayable } from './unplayable.ts'

interface Place {
  context: ContextsTable
  position: number
}
type Neighbour = Pick<SongsTable, 'youtube_id' | 'title'>

export function createSongStore(database: Database): SongStore {
  const { queries } = database
  const contexts = createContexts(queries)

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
  const neighbour = (comparison: '>' | '<', order: 'asc' | 'desc') =>
    prepared<{ no: number; position: number }, Neighbour>(queries, ['no', 'position'], ({ no, position }) =>
      queries
        .selectFrom('catalogue.context_songs as cs')
        .innerJoin('catalogue.songs as s', 's.rank', 'cs.song_rank')
        .select(['s.youtube_id', 's.title'])
        .where('cs.context_no', '=', no)
        .where('cs.position', comparison, position)
        .where((eb) =>
          eb.not(eb.exists(eb.selectFrom('unplayable_songs as u').select('u.song_id').whereRef('u.song_id', '=', 's.youtube_id'))),
        )
        .orderBy('cs.position', order)
        .limit(1),
    )
  const following = neighbour('>', 'asc')
  const preceding = neighbour('<', 'desc')

  /** Where the song stands in the context that was asked for, else in its category. */
  async function placeOf(song: SongsTable, contextId: string | undefined): Promise<Place | undefined> {
    if (contextId !== undefined) {
      const context = await contexts.find(contextId)
      const [asked] = context === undefined ? [] : await placeById({ id: contextId, rank: song.rank })
      if (asked !== undefined && asked.kind === context?.kind) return { context: asked, position: asked.position }
    }
    const rows = await categoryPlace({ id: song.category_id, rank: song.rank })
    const [own] = rows
    return own && { context: own, position: own.position }
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

  async function detail(song: SongsTable, place: Place, view: SongView): Promise<SongDetail> {
    const seek = { no: place.context.no, position: place.position }
    const [[first], [after], [before]] = await Promise.all([following({ ...seek, position: 0 }), following(seek), preceding(seek)])
    // Where nothing else can be played, a song is followed by itself.
    const next = after ?? first ?? song
    return {
      ...songOf(song, view),
      description: song.description,
      context_id: place.context.id,
      context_title: place.context.title,
      first_song: first?.youtube_id ?? song.youtube_id,
      next: next.youtube_id,
      next_title: next.title,
      ...(before === undefined ? {} : { previous: before.youtube_id }),
      favorite: false,
    }
  }

  async function ranksOf(search: SongSearch): Promise<number[]> {
    const folded = foldText(search.text)
    if (folded === '') return []
    const words = [...new Set(folded.split(' '))]
    const { artistOnly, orderBy, direction, limit, offset } = search
    const text: TextSearch = { words, artistOnly, orderBy, direction, limit, offset }
    if (!artistOnly) return database.dialect.searchRanks(queries, text)
    const exact = await queries
      .selectFrom('catalogue.songs')
      .select('rank')
      .where('author_folded', '=', folded)
      .orderBy(orderBy === 'title' ? 'rank' : 'date_added', direction === 'ASC' ? 'asc' : 'desc')
      .orderBy('rank', direction === 'ASC' ? 'asc' : 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    if (exact.length === limit) return exact.map((row) => row.rank)
    const { count } = await queries
      .selectFrom('catalogue.songs')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('author_folded', '=', folded)
      .executeTakeFirstOrThrow()
    const others = await database.dialect.searchRanks(queries, {
      ...text,
      exceptAuthor: folded,
      limit: limit - exact.length,
      offset: Math.max(0, offset - count),
    })
    return [...exact.map((row) => row.rank), ...others]
  }

  return {
    get: async (songId, contextId, view) => {
      const [song] = await songById({ id: songId })
      const place = song && (await placeOf(song, contextId))
      return song && place && (await detail(song, place, view))
    },
    search: async (search, view) => {
      const ranks = await ranksOf(search)
      if (ranks.length === 0) return []
      const rows = await queries.selectFrom('catalogue.songs as s').select(songColumns).where('s.rank', 'in', ranks).execute()
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
