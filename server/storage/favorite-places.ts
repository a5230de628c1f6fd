import { sql } from 'kysely'
import type { Queries } from './database.ts'
import { prepared } from './prepared.ts'
import type { FavoritesTable } from './schema.ts'
import type { Neighbour, NeighbourRole } from './song-rows.ts'

type Where = { uid: string; version: number; changedAt: number }

/** Where a song stands in an account's favorites, the newest first. */
export function createFavoritePlaces(queries: Queries) {
  const favorite = prepared<{ uid: string; songId: string }, Pick<FavoritesTable, 'changed_at' | 'version'>>(
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
  /** The nearest playable song of the favorites on that side. */
  const seek = (
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
  const beside = prepared<Where, Neighbour>(queries, ['uid', 'version', 'changedAt'], ({ uid, version, changedAt }) => {
    const older = sql<boolean>`(f.changed_at, f.version) < (${changedAt}, ${version})`
    const newer = sql<boolean>`(f.changed_at, f.version) > (${changedAt}, ${version})`
    return queries
      .selectFrom(seek(uid, sql<boolean>`true`, 'desc', 'first').as('f'))
      .selectAll()
      .unionAll(queries.selectFrom(seek(uid, older, 'desc', 'next').as('n')).selectAll())
      .unionAll(queries.selectFrom(seek(uid, newer, 'asc', 'previous').as('p')).selectAll())
  })
  return {
    has: async (uid: string, songId: string): Promise<boolean> => (await favorite({ uid, songId })).length > 0,
    /** `undefined` where the song is no favorite. */
    neighbours: async (uid: string, songId: string): Promise<Neighbour[] | undefined> => {
      const [row] = await favorite({ uid, songId })
      return row && beside({ uid, version: row.version, changedAt: row.changed_at })
    },
  }
}
