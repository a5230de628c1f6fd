import { sql } from 'kysely'
import type { Queries } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import type { Tables } from '../storage/schema.ts'
import type { Neighbour, NeighbourRole } from './store-song-rows.ts'

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
  /** Selects the playable favorite that satisfies `condition` and comes first in `order`. */
  const selectNeighbour = (
    uid: ReturnType<typeof sql<string>>,
    condition: ReturnType<typeof sql<boolean>>,
    order: 'asc' | 'desc',
    role: NeighbourRole,
  ) =>
    queries
      .selectFrom('favorites as f')
      .innerJoin('catalogue.songs as s', 's.youtube_id', 'f.song_id')
      .select(['s.youtube_id', 's.title', sql.lit(role).as('role')])
      .where('f.uid', '=', uid)
      .where('f.favorite', '=', sql.lit(1))
      .where(condition)
      .where((eb) =>
        eb.not(eb.exists(eb.selectFrom('unplayable_songs as u').select('u.song_id').whereRef('u.song_id', '=', 's.youtube_id'))),
      )
      .orderBy('f.changed_at', order)
      .orderBy('f.version', order)
      .limit(1)
  const neighboursByPosition = prepareQuery<FavoritePosition, Neighbour>(
    queries,
    ['uid', 'version', 'changedAt'],
    ({ uid, version, changedAt }) => {
      const isOlder = sql<boolean>`(f.changed_at, f.version) < (${changedAt}, ${version})`
      const isNewer = sql<boolean>`(f.changed_at, f.version) > (${changedAt}, ${version})`
      return queries
        .selectFrom(selectNeighbour(uid, sql<boolean>`true`, 'desc', 'first').as('f'))
        .selectAll()
        .unionAll(queries.selectFrom(selectNeighbour(uid, isOlder, 'desc', 'next').as('n')).selectAll())
        .unionAll(queries.selectFrom(selectNeighbour(uid, isNewer, 'asc', 'previous').as('p')).selectAll())
    },
  )
  return {
    has: async (uid: string, songId: string): Promise<boolean> => (await findFavorite({ uid, songId })).length > 0,
    /** Returns `undefined` if the song is not a favorite. */
    neighbours: async (uid: string, songId: string): Promise<Neighbour[] | undefined> => {
      const [row] = await findFavorite({ uid, songId })
      return row && neighboursByPosition({ uid, version: row.version, changedAt: row.changed_at })
    },
  }
}
export type FavoritePlaceReader = ReturnType<typeof createFavoritePlaceReader>
