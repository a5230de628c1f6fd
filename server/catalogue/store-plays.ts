import { DAY_MS, HOUR_MS } from '../durations.ts'
import { ANONYMOUS, rememberChanges } from '../storage/applied-changes.ts'
import type { Database, Queries } from '../storage/database.ts'
import { contextKinds } from '../storage/schema.ts'
import type { Contexts } from './store-contexts.ts'
import { learnDuration } from './store-durations.ts'
import { knownDuration } from './store-song-rows.ts'
import { restoreIfPlayed } from './store-unplayable.ts'

/** A play of a song in the video player, as a client reports it. */
export interface Play {
  songId: string
  contextId: string | undefined
  clientId: string
  /** The time when the song was played, in epoch milliseconds, as the client states it. */
  atMs: number
  /** The current time of the server in epoch milliseconds. */
  nowMs: number
  /** Id made by the client. A play whose id was already applied is not counted again. */
  changeId?: string | undefined
  /** The video's length in seconds according to the client's player. Three that agree set the length of a song that has none. */
  durationS?: number | undefined
}

/**
 * Counted plays. `hour` is the hour of arrival since the epoch, of which a client and song have at most one row. For a play that arrived late, it is the
 * negative day of arrival.
 */
interface PlayMarksTable {
  client_id: string
  song_id: string
  hour: number
  stored_at: number
}

/** Plays of a playlist per day. `day` is days since the epoch, UTC. */
interface PlaylistPlaysTable {
  playlist_id: string
  day: number
  plays: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    play_marks: PlayMarksTable
    playlist_plays: PlaylistPlaysTable
  }
}

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
 * Stores a play mark if the play counts: once an hour for a client and song, or once a day if the play arrives late, within the limits of a client.
 * The time that a client states decides only whether the play is late. Returns true if the mark was stored.
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

/** Deletes the marks that no longer affect the count of plays, and the plays that are too old for popularity. */
export async function deleteOldPlays(queries: Queries, nowMs: number): Promise<void> {
  await queries
    .deleteFrom('play_marks')
    .where((eb) =>
      eb.or([eb('hour', '>=', 0).and('stored_at', '<=', nowMs - HOUR_MS), eb('hour', '<', 0).and('stored_at', '<', dayOf(nowMs) * DAY_MS)]),
    )
    .execute()
  await queries.deleteFrom('playlist_plays').where('day', '<', firstPopularDay(nowMs)).execute()
}

export function createPlays(database: Database, contexts: Contexts) {
  const contextHasSong = async (contextNo: number, rank: number) =>
    (await database.queries
      .selectFrom('catalogue.context_songs')
      .select('position')
      .where('context_no', '=', contextNo)
      .where('song_rank', '=', rank)
      .executeTakeFirst()) !== undefined
  return {
    /**
     * Counts a play for popularity, by its arrival: at most once per hour, client and song, and once per day if it happened an hour or more before. Plays of
     * an excluded song by three distinct clients within a UTC day restore it. Returns false if the song does not exist.
     */
    countPlay: async ({ songId, contextId, clientId, atMs, nowMs, changeId, durationS }: Play): Promise<boolean> => {
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
