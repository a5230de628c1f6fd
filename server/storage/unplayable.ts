import type { Database, Queries } from './database.ts'
import type { SongStore } from './interfaces/songs.ts'

const DAY_MS = 86_400_000
/**
 * Number of distinct clients that must report a song within a UTC day to exclude it, or play it within one to restore it. The ids of clients change
 * with the day.
 */
const MIN_CLIENTS = 3
/** The time after which an excluded song is restored. */
const EXCLUSION_MS = 30 * DAY_MS
/**
 * The error codes of the video platform that mean a dead video: an invalid id, a removed or private video, and embedding that is not allowed. 5 and 153 can be
 * caused by the browser or by this site. https://developers.google.com/youtube/iframe_api_reference#onError
 */
const DEAD_VIDEO_CODES = [2, 100, 101, 150]

const startOfDayMs = (ms: number) => ms - (ms % DAY_MS)

/** Whether the reason of a report has the code of a dead video. */
const isDeadVideo = (reason: string) => DEAD_VIDEO_CODES.includes(Number(/\d+/.exec(reason)?.[0]))

async function removeExclusions(queries: Queries, songIds: readonly string[]): Promise<void> {
  if (songIds.length === 0) return
  for (const table of ['unplayable_songs', 'unplayable_reports', 'unplayable_plays'] as const)
    await queries.deleteFrom(table).where('song_id', 'in', songIds).execute()
}

/** Restores an excluded song if this play is by the third distinct client within a day. */
export async function restoreIfPlayed(queries: Queries, songId: string, clientId: string, nowMs: number): Promise<void> {
  const exclusion = await queries.selectFrom('unplayable_songs').select('since').where('song_id', '=', songId).executeTakeFirst()
  if (exclusion === undefined) return
  await queries
    .insertInto('unplayable_plays')
    .values({ song_id: songId, client_id: clientId, played_at: nowMs })
    .onConflict((conflict) => conflict.columns(['song_id', 'client_id']).doUpdateSet({ played_at: nowMs }))
    .execute()
  const { players } = await queries
    .selectFrom('unplayable_plays')
    .select((eb) => eb.fn.countAll<number>().as('players'))
    .where('song_id', '=', songId)
    .where('played_at', '>=', startOfDayMs(nowMs))
    .executeTakeFirstOrThrow()
  if (players >= MIN_CLIENTS) await removeExclusions(queries, [songId])
}

/** Restores the songs whose exclusion has lasted `EXCLUSION_MS`. */
export async function restoreExpired(queries: Queries, nowMs: number): Promise<void> {
  const rows = await queries
    .selectFrom('unplayable_songs')
    .select('song_id')
    .where('since', '<=', nowMs - EXCLUSION_MS)
    .execute()
  await removeExclusions(
    queries,
    rows.map((row) => row.song_id),
  )
}

export function createUnplayable(database: Database): Pick<SongStore, 'reportUnplayable' | 'listUnplayable' | 'restoreSong'> {
  return {
    restoreSong: (songId) =>
      database.writeWithRevision(async (queries) => {
        const { numDeletedRows } = await queries.deleteFrom('unplayable_songs').where('song_id', '=', songId).executeTakeFirst()
        await removeExclusions(queries, [songId])
        return numDeletedRows > 0n
      }),

    reportUnplayable: async ({ songId, reason, clientId, atMs }) => {
      const song = await database.queries.selectFrom('catalogue.songs').select('rank').where('youtube_id', '=', songId).executeTakeFirst()
      if (song === undefined) return false
      if (!isDeadVideo(reason)) return true
      await database.write(async (queries) => {
        await queries
          .insertInto('unplayable_reports')
          .values({ song_id: songId, client_id: clientId, reason, reported_at: atMs })
          .onConflict((conflict) => conflict.columns(['song_id', 'client_id']).doUpdateSet({ reason, reported_at: atMs }))
          .execute()
        const { reporters } = await queries
          .selectFrom('unplayable_reports')
          .select((eb) => eb.fn.countAll<number>().as('reporters'))
          .where('song_id', '=', songId)
          .where('reported_at', '>=', startOfDayMs(atMs))
          .executeTakeFirstOrThrow()
        if (reporters < MIN_CLIENTS) return
        await queries
          .insertInto('unplayable_songs')
          .values({ song_id: songId, since: atMs })
          .onConflict((conflict) => conflict.column('song_id').doNothing())
          .execute()
      })
      return true
    },

    listUnplayable: async () => {
      const rows = await database.queries
        .selectFrom('unplayable_songs as u')
        .innerJoin('catalogue.songs as s', 's.youtube_id', 'u.song_id')
        .select((eb) => [
          's.youtube_id',
          's.title',
          eb
            .selectFrom('unplayable_reports as r')
            .select((r) => r.fn.countAll<number>().as('reporters'))
            .whereRef('r.song_id', '=', 'u.song_id')
            .as('reporters'),
          eb
            .selectFrom('unplayable_reports as r')
            .select('r.reason')
            .whereRef('r.song_id', '=', 'u.song_id')
            .orderBy('r.reported_at', 'desc')
            .limit(1)
            .as('reason'),
          eb
            .selectFrom('unplayable_reports as r')
            .select((r) => r.fn.max('r.reported_at').as('last_reported'))
            .whereRef('r.song_id', '=', 'u.song_id')
            .as('last_reported'),
          'u.since',
        ])
        .orderBy('u.since', 'desc')
        .orderBy('s.rank')
        .execute()
      return rows.map((row) => ({
        youtube_id: row.youtube_id,
        title: row.title,
        reporters: row.reporters ?? 0,
        reason: row.reason ?? '',
        last_reported: new Date(row.last_reported ?? row.since).toISOString(),
      }))
    },
  }
}
