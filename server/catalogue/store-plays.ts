import { ANONYMOUS, rememberChanges } from '../storage/applied-changes.ts'
import type { Contexts } from './store-contexts.ts'
import type { Database, Queries } from '../storage/database.ts'
import type { SongStore } from '../storage/interfaces/songs.ts'
import { learnDuration } from './store-durations.ts'
import { contextKinds } from '../storage/schema.ts'
import { knownDuration } from './store-song-rows.ts'
import { restoreIfPlayed } from './store-unplayable.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Number of days whose plays count for popularity, including today. */
const POPULARITY_DAYS = 30
/** Number of a client's plays that count in an hour: a person hears fewer, and one network is one client. */
export const PLAYS_PER_HOUR = 100
/** Number of a client's plays that count in a day although they arrive an hour or more after they happened. */
export const LATE_PLAYS_PER_DAY = 200

const dayOf = (ms: number) => Math.floor(ms / DAY_MS)

/** The first day whose plays count for popularity. */
export const firstPopularDay = (nowMs: number) => dayOf(nowMs) - POPULARITY_DAYS + 1

/**
 * Stores a play mark if the play counts: once an hour for a client and song, or once a day if the play arrives late, within the limits of a client. What
 * a client says of the time decides only whether the play is late. Returns true if the mark was stored.
 */
async function storePlayMark(
  queries: Queries,
  play: { clientId: string; songId: string; isLate: boolean; nowMs: number },
): Promise<boolean> {
  const { clientId, songId, isLate, nowMs } = play
  const hour = isLate ? -dayOf(nowMs) : Math.floor(nowMs / HOUR_MS)
  const marks = queries.selectFrom('play_marks').select('song_id').where('client_id', '=', clientId)
  const comparable = await (isLate
    ? marks.where('hour', '=', hour)
    : marks.where('hour', '>=', 0).where('stored_at', '>', nowMs - HOUR_MS)
  ).execute()
  if (comparable.length >= (isLate ? LATE_PLAYS_PER_DAY : PLAYS_PER_HOUR) || comparable.some((mark) => mark.song_id === songId))
    return false
  const addedRow = await queries
    .insertInto('play_marks')
    .values({ client_id: clientId, song_id: songId, hour, stored_at: nowMs })
    .onConflict((conflict) => conflict.columns(['client_id', 'song_id', 'hour']).doNothing())
    .executeTakeFirst()
  return addedRow.numInsertedOrUpdatedRows === 1n
}

/** Deletes the marks that can count no play any more, and the plays that are too old for popularity. */
export async function deleteOldPlays(queries: Queries, nowMs: number): Promise<void> {
  await queries
    .deleteFrom('play_marks')
    .where((eb) =>
      eb.or([eb('hour', '>=', 0).and('stored_at', '<=', nowMs - HOUR_MS), eb('hour', '<', 0).and('stored_at', '<', dayOf(nowMs) * DAY_MS)]),
    )
    .execute()
  await queries.deleteFrom('playlist_plays').where('day', '<', firstPopularDay(nowMs)).execute()
}

export function createPlays(database: Database, contexts: Contexts): Pick<SongStore, 'countPlay'> {
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
      const context = contextId === undefined ? undefined : await contexts.find(contextId)
      const isPlaylist = context !== undefined && context.kind !== contextKinds.category
      // A play counts for a playlist only if the playlist contains the song.
      const playlistId = isPlaylist && (await contextHasSong(context.no, song.rank)) ? context.id : undefined
      const isLate = nowMs - atMs >= HOUR_MS
      const isCounted = await database.write(async (queries) => {
        if (!isLate) await restoreIfPlayed(queries, songId, clientId, nowMs)
        if (!(await storePlayMark(queries, { clientId, songId, isLate, nowMs }))) return false
        if (changeId !== undefined && (await rememberChanges(queries, ANONYMOUS, [changeId], nowMs)).length === 0) return false
        if (playlistId !== undefined) {
          await queries
            .insertInto('playlist_plays')
            .values({ playlist_id: playlistId, day: dayOf(nowMs), plays: 1 })
            .onConflict((conflict) =>
              conflict.columns(['day', 'playlist_id']).doUpdateSet((eb) => ({ plays: eb('playlist_plays.plays', '+', 1) })),
            )
            .execute()
        }
        return true
      })
      if (isCounted && song.duration === null && durationS !== undefined)
        await learnDuration(database, { songId, clientId, day: dayOf(nowMs), durationS })
      return true
    },
  }
}
