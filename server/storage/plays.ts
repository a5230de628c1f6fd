import { ANONYMOUS, createAppliedChanges } from './applied-changes.ts'
import type { Contexts } from './contexts.ts'
import type { Database, Queries } from './database.ts'
import type { SongStore } from './interfaces/songs.ts'
import { learnDuration } from './learned-durations.ts'
import { contextKinds } from './schema.ts'
import { knownDuration } from './song-rows.ts'
import { restoreExpired, restoreIfPlayed } from './unplayable.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Number of days whose plays count for popularity, including today. */
export const POPULARITY_DAYS = 30
/** Interval at which expired play marks, play counts and exclusions are deleted. */
const SWEEP_INTERVAL_MS = 10 * 60_000

export const dayOf = (ms: number) => Math.floor(ms / DAY_MS)

/** Stores a play mark unless the client has one for this song within an hour of the play. Returns true if the mark was stored. */
async function storePlayMark(queries: Queries, play: { clientId: string; songId: string; atMs: number; nowMs: number }): Promise<boolean> {
  const { clientId, songId, atMs, nowMs } = play
  const hour = Math.floor(atMs / HOUR_MS)
  const nearbyMark = await queries
    .selectFrom('play_marks')
    .select('hour')
    .where('client_id', '=', clientId)
    .where('song_id', '=', songId)
    .where('hour', 'in', [hour - 1, hour, hour + 1])
    .where('counted_at', '>', atMs - HOUR_MS)
    .where('counted_at', '<', atMs + HOUR_MS)
    .executeTakeFirst()
  if (nearbyMark !== undefined) return false
  const addedRow = await queries
    .insertInto('play_marks')
    .values({ client_id: clientId, song_id: songId, hour, counted_at: atMs, stored_at: nowMs })
    .onConflict((conflict) => conflict.columns(['client_id', 'song_id', 'hour']).doNothing())
    .executeTakeFirst()
  return addedRow.numInsertedOrUpdatedRows === 1n
}

export function createPlays(database: Database, contexts: Contexts): Pick<SongStore, 'countPlay'> {
  const appliedChanges = createAppliedChanges()
  let sweptAtMs = 0
  const contextHasSong = async (contextNo: number, rank: number) =>
    (await database.queries
      .selectFrom('catalogue.context_songs')
      .select('position')
      .where('context_no', '=', contextNo)
      .where('song_rank', '=', rank)
      .executeTakeFirst()) !== undefined
  return {
    countPlay: async ({ songId, contextId, clientId, atMs, nowMs, changeId, durationS }) => {
      const song = await database.queries
        .selectFrom('catalogue.songs as s')
        .select(['s.rank', knownDuration.as('duration')])
        .where('s.youtube_id', '=', songId)
        .executeTakeFirst()
      if (song === undefined) return false
      if (song.duration === null && durationS !== undefined)
        await learnDuration(database, { songId, clientId, day: dayOf(nowMs), durationS })
      const context = contextId === undefined ? undefined : await contexts.find(contextId)
      const isPlaylist = context !== undefined && context.kind !== contextKinds.category
      // A play counts for a playlist only if the playlist contains the song.
      const playlistId = isPlaylist && (await contextHasSong(context.no, song.rank)) ? context.id : undefined
      const isSweepDue = Math.abs(nowMs - sweptAtMs) > SWEEP_INTERVAL_MS
      if (isSweepDue) sweptAtMs = nowMs
      await database.write(async (queries) => {
        if (changeId !== undefined && (await appliedChanges.remember(queries, ANONYMOUS, [changeId], nowMs)).length === 0) return
        if ((await storePlayMark(queries, { clientId, songId, atMs, nowMs })) && playlistId !== undefined) {
          await queries
            .insertInto('playlist_plays')
            .values({ playlist_id: playlistId, day: dayOf(atMs), plays: 1 })
            .onConflict((conflict) =>
              conflict.columns(['day', 'playlist_id']).doUpdateSet((eb) => ({ plays: eb('playlist_plays.plays', '+', 1) })),
            )
            .execute()
        }
        await restoreIfPlayed(queries, songId, clientId, nowMs)
        if (isSweepDue) {
          await restoreExpired(queries, nowMs)
          await queries
            .deleteFrom('play_marks')
            .where('stored_at', '<=', nowMs - HOUR_MS)
            .execute()
          await queries
            .deleteFrom('playlist_plays')
            .where('day', '<=', dayOf(nowMs) - POPULARITY_DAYS)
            .execute()
        }
      })
      return true
    },
  }
}
