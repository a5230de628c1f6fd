import { sql } from 'kysely'
import type { Song } from '../../contract/song.ts'
import type { Database } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import { contextKinds, type SongsTable } from '../storage/schema.ts'
import { type SongReadOptions, type SongRow, songColumns, toSong } from './store-song-rows.ts'

/** A song's place in the order by title and in its category. */
interface RelatedPlace extends Pick<SongsTable, 'rank' | 'author_folded'> {
  context_no: number
  position: number
}

export interface RelatedSongsQuery {
  limit: number
  /** The most songs that are listed for their artist; `limit` by default. */
  artistLimit?: number | undefined
  excludedIds?: ReadonlySet<string>
}

type Comparison = '>' | '<'

/**
 * Returns a function that lists up to `limit` other playable songs: those of the same artist in order of title, then those of the same category in
 * its order, except the excluded ones; `undefined` if the song does not exist. Each list begins after the song and continues at its start, so that the songs of a large
 * category do not all have the same related songs. The result depends on the catalogue only.
 */
export function createRelatedSongFinder({ queries }: Database) {
  const placeOf = prepareQuery<{ id: string }, RelatedPlace>(queries, ['id'], ({ id }) =>
    queries
      .selectFrom('catalogue.songs as s')
      .innerJoin('catalogue.contexts as c', 'c.id', 's.category_id')
      .innerJoin('catalogue.context_songs as cs', (join) => join.onRef('cs.context_no', '=', 'c.no').onRef('cs.song_rank', '=', 's.rank'))
      .select(['s.rank', 's.author_folded', 'cs.context_no', 'cs.position'])
      .where('s.youtube_id', '=', id)
      .where('c.kind', '=', contextKinds.category),
  )
  const isPlayableSql = sql<boolean>`not exists (select 1 from unplayable_songs u where u.song_id = s.youtube_id)`
  const prepareArtistQuery = (comparison: Comparison) =>
    prepareQuery<{ name: string; rank: number; limit: number }, SongRow>(queries, ['name', 'rank', 'limit'], ({ name, rank, limit }) =>
      queries
        .selectFrom('catalogue.songs as s')
        .select(songColumns)
        .where('s.author_folded', '=', name)
        .where('s.rank', comparison, rank)
        .where(isPlayableSql)
        .orderBy('s.rank')
        .limit(limit),
    )
  const prepareCategoryQuery = (comparison: Comparison) =>
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
          .where(isPlayableSql)
          .orderBy('cs.position')
          .limit(limit),
    )
  const artistFrom = { '>': prepareArtistQuery('>'), '<': prepareArtistQuery('<') }
  const categoryFrom = { '>': prepareCategoryQuery('>'), '<': prepareCategoryQuery('<') }

  /** Reads up to `songLimit` rows that follow a song in a list, and continues at the start of the list if too few follow. */
  async function readAround(
    readSongs: (comparison: Comparison, songLimit: number) => Promise<SongRow[]>,
    limit: number,
  ): Promise<SongRow[]> {
    const following = await readSongs('>', limit)
    return following.length === limit ? following : [...following, ...(await readSongs('<', limit - following.length))]
  }

  return async (
    songId: string,
    view: SongReadOptions,
    { limit, artistLimit = limit, excludedIds = new Set() }: RelatedSongsQuery,
  ): Promise<Song[] | undefined> => {
    const [songPlace] = await placeOf({ id: songId })
    if (songPlace === undefined) return undefined
    const { rank, author_folded: foldedAuthor, context_no: contextNo, position } = songPlace
    /** Reads up to `songCount` rows of a list that are not skipped. The query's limit is increased by the number of the skipped ones. */
    const readOthers = async (
      readSongs: (comparison: Comparison, limit: number) => Promise<SongRow[]>,
      songCount: number,
      skippedIds: ReadonlySet<string>,
    ) => {
      const rows = await readAround(readSongs, songCount + skippedIds.size)
      return rows.filter((row) => !skippedIds.has(row.youtube_id)).slice(0, songCount)
    }
    const sameArtist =
      foldedAuthor === ''
        ? []
        : await readOthers(
            (from, count) => artistFrom[from]({ name: foldedAuthor, rank, limit: count }),
            Math.min(limit, artistLimit),
            excludedIds,
          )
    const skippedIds = new Set([...excludedIds, ...sameArtist.map((row) => row.youtube_id)])
    const sameCategory =
      sameArtist.length === limit
        ? []
        : await readOthers(
            (from, count) => categoryFrom[from]({ no: contextNo, position, limit: count }),
            limit - sameArtist.length,
            skippedIds,
          )
    return [...sameArtist, ...sameCategory].map((row) => toSong(row, view))
  }
}
