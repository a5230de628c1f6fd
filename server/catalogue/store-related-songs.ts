import { sql } from 'kysely'
import type { Song } from '../../contract/song.ts'
import type { Database } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import { contextKinds, type SongsTable } from '../storage/schema.ts'
import { type SongReadOptions, type SongRow, songColumns, toSong } from './store-song-rows.ts'

/** A song's place in the order by title and in its category. */
interface Place extends Pick<SongsTable, 'rank' | 'author_folded'> {
  context_no: number
  position: number
}

type Comparison = '>' | '<'

/**
 * Returns a function that lists up to `limit` other playable songs: those of the same artist in order of title, then those of the same category in
 * its order; `undefined` if the song does not exist. Each list begins after the song and continues at its start, so that the songs of a large
 * category do not all have the same related songs. The result depends on the catalogue only.
 */
export function createRelatedSongFinder({ queries }: Database) {
  const placeOf = prepareQuery<{ id: string }, Place>(queries, ['id'], ({ id }) =>
    queries
      .selectFrom('catalogue.songs as s')
      .innerJoin('catalogue.contexts as c', 'c.id', 's.category_id')
      .innerJoin('catalogue.context_songs as cs', (join) => join.onRef('cs.context_no', '=', 'c.no').onRef('cs.song_rank', '=', 's.rank'))
      .select(['s.rank', 's.author_folded', 'cs.context_no', 'cs.position'])
      .where('s.youtube_id', '=', id)
      .where('c.kind', '=', contextKinds.category),
  )
  const isPlayable = sql<boolean>`not exists (select 1 from unplayable_songs u where u.song_id = s.youtube_id)`
  const ofArtist = (comparison: Comparison) =>
    prepareQuery<{ name: string; rank: number; limit: number }, SongRow>(queries, ['name', 'rank', 'limit'], ({ name, rank, limit }) =>
      queries
        .selectFrom('catalogue.songs as s')
        .select(songColumns)
        .where('s.author_folded', '=', name)
        .where('s.rank', comparison, rank)
        .where(isPlayable)
        .orderBy('s.rank')
        .limit(limit),
    )
  const ofCategory = (comparison: Comparison) =>
    prepareQuery<{ no: number; position: number; limit: number }, SongRow>(
      queries,
      ['no', 'position', 'limit'],
      ({ no, position, limit }) =>
        queries
          .selectFrom('catalogue.context_songs as cs')
          .innerJoin('catalogue.songs as s', 's.rank', 'cs.song_rank')
          .select(songColumns)
          .where('cs.context_no', '=', no)
          .where('cs.position', comparison, position)
          .where(isPlayable)
          .orderBy('cs.position')
          .limit(limit),
    )
  const artistFrom = { '>': ofArtist('>'), '<': ofArtist('<') }
  const categoryFrom = { '>': ofCategory('>'), '<': ofCategory('<') }

  /** Reads up to `limit` rows that follow a song in a list, and continues at the start of the list if too few follow. */
  async function readAround(read: (comparison: Comparison, limit: number) => Promise<SongRow[]>, limit: number): Promise<SongRow[]> {
    const following = await read('>', limit)
    return following.length === limit ? following : [...following, ...(await read('<', limit - following.length))]
  }

  return async (songId: string, limit: number, view: SongReadOptions): Promise<Song[] | undefined> => {
    const [place] = await placeOf({ id: songId })
    if (place === undefined) return undefined
    const { rank, author_folded: name, context_no: no, position } = place
    const sameArtist = name === '' ? [] : await readAround((from, count) => artistFrom[from]({ name, rank, limit: count }), limit)
    const ranks = new Set(sameArtist.map((row) => row.rank))
    // The rows of the category may include the artist's songs, so the query's limit is increased by the number of these songs.
    const sameCategory =
      sameArtist.length === limit
        ? []
        : await readAround((from, count) => categoryFrom[from]({ no, position, limit: count }), limit + sameArtist.length)
    const others = sameCategory.filter((row) => !ranks.has(row.rank))
    return [...sameArtist, ...others].slice(0, limit).map((row) => toSong(row, view))
  }
}
