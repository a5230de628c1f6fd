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

type ComparisonOperator = '>' | '<'

/**
 * Returns a function that lists up to `limit` other playable songs: those of the same artist in order of title, then those of the same category in
 * its order, except the excluded ones; `undefined` if the song does not exist. Each list begins after the song and continues at its start, so that the songs of a large
 * category do not all have the same related songs. The result depends on the catalogue only.
 */
export function createRelatedSongFinder({ queries }: Database) {
  const findPlace = prepareQuery<{ id: string }, RelatedPlace>(queries, ['id'], ({ id }) =>
    queries
      .selectFrom('catalogue.songs as s')
      .innerJoin('catalogue.contexts as c', 'c.id', 's.category_id')
      .innerJoin('catalogue.context_songs as cs', (join) => join.onRef('cs.context_no', '=', 'c.no').onRef('cs.song_rank', '=', 's.rank'))
      .select(['s.rank', 's.author_folded', 'cs.context_no', 'cs.position'])
      .where('s.youtube_id', '=', id)
      .where('c.kind', '=', contextKinds.category),
  )
  const isPlayableSql = sql<boolean>`not exists (select 1 from unplayable_songs u where u.song_id = s.youtube_id)`
  const prepareArtistQuery = (comparison: ComparisonOperator) =>
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
  const prepareCategoryQuery = (comparison: ComparisonOperator) =>
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
  const artistQueries = { '>': prepareArtistQuery('>'), '<': prepareArtistQuery('<') }
  const categoryQueries = { '>': prepareCategoryQuery('>'), '<': prepareCategoryQuery('<') }

  /** Reads up to `songLimit` rows that follow a song in a list, and continues at the start of the list if too few follow. */
  async function readFollowingSongs(
    readSongs: (comparison: ComparisonOperator, songLimit: number) => Promise<SongRow[]>,
    songLimit: number,
  ): Promise<SongRow[]> {
    const following = await readSongs('>', songLimit)
    return following.length === songLimit ? following : [...following, ...(await readSongs('<', songLimit - following.length))]
  }

  return async (
    songId: string,
    readOptions: SongReadOptions,
    { limit, artistLimit = limit, excludedIds = new Set() }: RelatedSongsQuery,
  ): Promise<Song[] | undefined> => {
    const [songPlace] = await findPlace({ id: songId })
    if (songPlace === undefined) return undefined
    const { rank, author_folded: foldedAuthor, context_no: contextNo, position } = songPlace
    /** Reads up to `songCount` rows of a list that are not skipped. The query's limit is increased by the number of the skipped ones. */
    const readOtherSongs = async (
      readSongs: (comparison: ComparisonOperator, limit: number) => Promise<SongRow[]>,
      songCount: number,
      skippedIds: ReadonlySet<string>,
    ) => {
      const rows = await readFollowingSongs(readSongs, songCount + skippedIds.size)
      return rows.filter((row) => !skippedIds.has(row.youtube_id)).slice(0, songCount)
    }
    const sameArtistRows =
      foldedAuthor === ''
        ? []
        : await readOtherSongs(
            (from, count) => artistQueries[from]({ name: foldedAuthor, rank, limit: count }),
            Math.min(limit, artistLimit),
            excludedIds,
          )
    const skippedIds = new Set([...excludedIds, ...sameArtistRows.map((row) => row.youtube_id)])
    const sameCategoryRows =
      sameArtistRows.length === limit
        ? []
        : await readOtherSongs(
            (from, count) => categoryQueries[from]({ no: contextNo, position, limit: count }),
            limit - sameArtistRows.length,
            skippedIds,
          )
    return [...sameArtistRows, ...sameCategoryRows].map((row) => toSong(row, readOptions))
  }
}
