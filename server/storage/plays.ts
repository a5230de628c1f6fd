import type { Contexts } from './contexts.ts'
import type { Database } from './database.ts'
import { contextKinds } from './schema.ts'
import type { SongStore } from './storage.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Popularity looks back this many days, today included. */
export const POPULARITY_DAYS = 30
/** How often marks and counters that no longer matter are cleared away. */
const SWEEP_EVERY_MS = 10 * 60_000

export const dayOf = (ms: number) => Math.floor(ms / DAY_MS)

export function createPlays(database: Database, contexts: Contexts): Pick<SongStore, 'countPlay'> {
  let sweptAt = 0
  const holds = async (contextNo: number, rank: number) =>
    (await database.queries
      .selectFrom('catalogue.context_songs')
      .select('position')
      .where('context_no', '=', contextNo)
      .where('song_rank', '=', rank)
      .executeTakeFirst()) !== undefined
  return {
    countPlay: async ({ songId, contextId, clientId, atMs }) => {
      const song = await database.queries.selectFrom('catalogue.songs').select('rank').where('youtube_id', '=', songId).executeTakeFirst()
      if (song === undefined) return false
      const context = contextId === undefined ? undefined : await contexts.find(contextId)
      const isPlaylist = context !== undefined && context.kind !== contextKinds.category
      // Else a playlist would rise by songs that it does not even have.
      const playlistId = isPlaylist && (await holds(context.no, song.rank)) ? context.id : undefined
      const sweep = Math.abs(atMs - sweptAt) > SWEEP_EVERY_MS
      if (sweep) sweptAt = atMs
      await database.write(async (queries) => {
        const marked = await queries
          .insertInto('play_marks')
          .values({ client_id: clientId, song_id: songId, counted_at: atMs })
          .onConflict((conflict) =>
            conflict
              .columns(['client_id', 'song_id'])
              .doUpdateSet({ counted_at: atMs })
              .where('play_marks.counted_at', '<=', atMs - HOUR_MS),
          )
          .executeTakeFirst()
        if (marked.numInsertedOrUpdatedRows !== 0n && playlistId !== undefined) {
          await queries
            .insertInto('playlist_plays')
            .values({ playlist_id: playlistId, day: dayOf(atMs), plays: 1 })
            .onConflict((conflict) =>
              conflict.columns(['day', 'playlist_id']).doUpdateSet((eb) => ({ plays: eb('playlist_plays.plays', '+', 1) })),
            )
            .execute()
        }
        if (sweep) {
          await queries
            .deleteFrom('play_marks')
            .where('counted_at', '<=', atMs - HOUR_MS)
            .execute()
          await queries
            .deleteFrom('playlist_plays')
            .where('day', '<=', dayOf(atMs) - POPULARITY_DAYS)
            .execute()
        }
      })
      return true
    },
  }
}
