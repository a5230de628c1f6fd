import { type Expression, type SqlBool, sql } from 'kysely'
import type { Queries } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import type { Tables } from '../storage/schema.ts'
import type { Neighbours } from './store-song-rows.ts'

type FavoritePosition = { uid: string; version: number; changedAt: number }

/** Reads whether a song is a favorite, and its neighbours in the account's favorites, ordered newest first. */
export function createFavoritePlaceReader(queries: Queries) {
  const findFavorite = prepareQuery<{ uid: string; songId: string }, Pick<Tables['favorites'], 'changed_at' | 'version'>>(
    queries,
    ['uid', 'songId'],
    ({ uid, songId }) =>
      queries
        .selectFrom('favorites')
        .select(['changed_at', 'version'])
        .where('uid', '=', uid)
        .where('song_id', '=', songId)
        .where('favorite', '=', 1),
  )
  /** Selects a column of the playable favorite that satisfies `condition` and comes first in `sortOrder`. */
  const selectNeighbour = (
    sortColumn: 'youtube_id' | 'title',
    uid: Expression<string>,
    condition: Expression<SqlBool>,
    sortOrder: 'asc' | 'desc',
  ) =>
    queries
      .selectFrom('favorites as f')
      .innerJoin('catalogue.songs as s', 's.youtube_id', 'f.song_id')
      .select(`s.${sortColumn}`)
      .where('f.uid', '=', uid)
      .where('f.favorite', '=', sql.lit(1))
      .where(condition)
      .where((eb) =>
        eb.not(eb.exists(eb.selectFrom('unplayable_songs as u').select('u.song_id').whereRef('u.song_id', '=', 's.youtube_id'))),
      )
      .orderBy('f.changed_at', sortOrder)
      .orderBy('f.version', sortOrder)
      .limit(1)
  const findNeighbours = prepareQuery<FavoritePosition, Neighbours>(
    queries,
    ['uid', 'version', 'changedAt'],
    ({ uid, version, changedAt }) => {
      const anyCondition = sql<boolean>`true`
      const olderCondition = sql<boolean>`(f.changed_at, f.version) < (${changedAt}, ${version})`
      const newerCondition = sql<boolean>`(f.changed_at, f.version) > (${changedAt}, ${version})`
      return queries.selectNoFrom([
        selectNeighbour('youtube_id', uid, anyCondition, 'desc').as('first_song'),
        selectNeighbour('title', uid, anyCondition, 'desc').as('first_title'),
        selectNeighbour('youtube_id', uid, olderCondition, 'desc').as('next'),
        selectNeighbour('title', uid, olderCondition, 'desc').as('next_title'),
        selectNeighbour('youtube_id', uid, newerCondition, 'asc').as('previous'),
      ])
    },
  )
  return {
    has: async (uid: string, songId: string): Promise<boolean> => (await findFavorite({ uid, songId })).length > 0,
    /** Returns `undefined` if the song is not a favorite. */
    neighbours: async (uid: string, songId: string): Promise<Neighbours | undefined> => {
      const [row] = await findFavorite({ uid, songId })
      return row && (await findNeighbours({ uid, version: row.version, changedAt: row.changed_at }))[0]
    },
  }
}
export type FavoritePlaceReader = ReturnType<typeof createFavoritePlaceReader>
