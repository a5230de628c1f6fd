import { DAY_MS } from '../durations.ts'
import { type Database, type Queries, type SqlTypes, serialiseTransactions } from '../storage/database.ts'
import { DAILY_EXCLUDED_SHARE_MAX, EXCLUDED_SHARE_MAX, EXCLUSIONS_ALWAYS_ALLOWED } from './exclusion-limits.ts'

/** A song that enough clients have reported as unplayable, with a summary of the reports. */
export interface UnplayableSong {
  youtube_id: string
  title: string
  /** Number of distinct clients that reported the song. */
  reporters: number
  /** The reason that YouTube states for the video, or else the reason in the latest report. */
  reason: string
  /** The time of the latest report in ISO 8601 UTC. */
  last_reported: string
  /**
   * Whether the song is excluded from random and next songs. It is false if the song was not excluded because too many other songs were.
   */
  excluded: boolean
}

/** A client's latest report of an unplayable song. */
interface UnplayableReportsTable {
  song_id: string
  client_id: string
  reason: string
  reported_at: number
}

/** A client's latest play of a song that is excluded or was reported earlier on the same day. */
interface UnplayablePlaysTable {
  song_id: string
  client_id: string
  played_at: number
}

/** Songs excluded because enough clients reported them. */
interface UnplayableSongsTable {
  song_id: string
  since: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    unplayable_reports: UnplayableReportsTable
    unplayable_plays: UnplayablePlaysTable
    unplayable_songs: UnplayableSongsTable
  }
}

export const createUnplayablePlaysTable = ({ text }: SqlTypes): string[] => [
  `create table unplayable_plays (
    song_id ${text} not null, client_id ${text} not null, played_at bigint not null, primary key (song_id, client_id))`,
]

/**
 * Number of distinct clients whose reports of a song within a UTC day exclude the song, or whose plays of an excluded song within a UTC day
 * restore it. Client ids change every day, so clients of several days cannot be counted together.
 */
const MIN_CONFIRMING_CLIENTS = 3
/** Maximum number of a client's reports that are stored per UTC day. */
export const CLIENT_REPORTS_MAX_PER_DAY = 20
/** Maximum number of clients whose reports of a song are stored per UTC day. */
const REPORTERS_MAX = 10
/**
 * Maximum number of clients whose plays of a reported song are stored per UTC day. More are not needed, because plays are compared with the
 * number of reporters, of which no more are stored either.
 */
const PLAYING_CLIENTS_MAX = REPORTERS_MAX
/** The time after which an excluded song is restored. */
const EXCLUSION_DURATION_MS = 30 * DAY_MS
/**
 * The error codes of the video platform that mean a dead video: an invalid id, a removed or private video, and embedding that is not
 * allowed. Codes 5 and 153 are not in the list, because the browser or this site can cause them.
 * https://developers.google.com/youtube/iframe_api_reference#onError
 */
const DEAD_VIDEO_CODES = [2, 100, 101, 150]

const computeDayStartMs = (ms: number) => ms - (ms % DAY_MS)

/** Whether the reason of a report contains an error code that means a dead video. */
const isDeadVideo = (reason: string) => DEAD_VIDEO_CODES.includes(Number(/\d+/.exec(reason)?.[0]))

async function removeExclusions(queries: Queries, songIds: readonly string[]): Promise<void> {
  if (songIds.length === 0) return
  for (const table of ['unplayable_songs', 'unplayable_reports', 'unplayable_plays'] as const)
    await queries.deleteFrom(table).where('song_id', 'in', songIds).execute()
}

/** Selects the reports of the UTC day of `atMs`. */
const selectReportsOfDay = (queries: Queries, atMs: number) =>
  queries.selectFrom('unplayable_reports').where('reported_at', '>=', computeDayStartMs(atMs))

/** Selects the stored plays of a song on the UTC day of `atMs`. */
const selectPlaysOfDay = (queries: Queries, songId: string, atMs: number) =>
  queries.selectFrom('unplayable_plays').where('song_id', '=', songId).where('played_at', '>=', computeDayStartMs(atMs))

/**
 * Stores a play of a song that is excluded or was reported on the same day, because plays count against reports. Restores an excluded song
 * if this is the play of a third distinct client within a day.
 */
export async function storePlayOfReportedSong(queries: Queries, songId: string, clientId: string, nowMs: number): Promise<void> {
  const isSongExcluded =
    (await queries.selectFrom('unplayable_songs').select('since').where('song_id', '=', songId).executeTakeFirst()) !== undefined
  if (!isSongExcluded) {
    const isReported =
      (await selectReportsOfDay(queries, nowMs).select('reason').where('song_id', '=', songId).executeTakeFirst()) !== undefined
    if (!isReported || (await selectPlaysOfDay(queries, songId, nowMs).select('client_id').execute()).length >= PLAYING_CLIENTS_MAX) return
  }
  await queries
    .insertInto('unplayable_plays')
    .values({ song_id: songId, client_id: clientId, played_at: nowMs })
    .onConflict((conflict) => conflict.columns(['song_id', 'client_id']).doUpdateSet({ played_at: nowMs }))
    .execute()
  if (isSongExcluded && (await selectPlaysOfDay(queries, songId, nowMs).select('client_id').execute()).length >= MIN_CONFIRMING_CLIENTS)
    await removeExclusions(queries, [songId])
}

/**
 * Counts the distinct clients that played a song on the UTC day of `nowMs`. All plays of the last hour are known. Earlier plays are known only since a
 * client reported the song as unplayable for the first time.
 */
async function countPlayers(queries: Queries, songId: string, nowMs: number): Promise<number> {
  const recentPlayers = queries
    .selectFrom('play_marks')
    .select('client_id')
    .where('song_id', '=', songId)
    .where('hour', '>=', 0)
    .where('stored_at', '>=', computeDayStartMs(nowMs))
  return (await selectPlaysOfDay(queries, songId, nowMs).select('client_id').union(recentPlayers).execute()).length
}

/** Restores the songs whose exclusion has lasted `EXCLUSION_DURATION_MS`. */
async function restoreExpiredExclusions(queries: Queries, nowMs: number): Promise<void> {
  const reportRows = await queries
    .selectFrom('unplayable_songs')
    .select('song_id')
    .where('since', '<=', nowMs - EXCLUSION_DURATION_MS)
    .execute()
  await removeExclusions(
    queries,
    reportRows.map((row) => row.song_id),
  )
}

interface UnplayableReport {
  songId: string
  clientId: string
  reason: string
  atMs: number
}

/** Stores a report within the limits of a day. Returns the number of the day's distinct reporters of the song. */
async function storeReport(queries: Queries, { songId, clientId, reason, atMs }: UnplayableReport): Promise<number> {
  const ownReports = await selectReportsOfDay(queries, atMs).select('song_id').where('client_id', '=', clientId).execute()
  const reporterCount = (await selectReportsOfDay(queries, atMs).select('client_id').where('song_id', '=', songId).execute()).length
  const isReportRepeated = ownReports.some((report) => report.song_id === songId)
  if (!isReportRepeated && (ownReports.length >= CLIENT_REPORTS_MAX_PER_DAY || reporterCount >= REPORTERS_MAX)) return reporterCount
  await queries
    .insertInto('unplayable_reports')
    .values({ song_id: songId, client_id: clientId, reason, reported_at: atMs })
    .onConflict((conflict) => conflict.columns(['song_id', 'client_id']).doUpdateSet({ reason, reported_at: atMs }))
    .execute()
  return isReportRepeated ? reporterCount : reporterCount + 1
}

/** Whether one more of `songs` songs may be excluded, if `total` of them are excluded already, `today` of those since the start of the UTC day. */
const isExclusionAllowed = ({ songs, total, today }: { songs: number; total: number; today: number }): boolean =>
  today < Math.max(EXCLUSIONS_ALWAYS_ALLOWED, Math.floor(DAILY_EXCLUDED_SHARE_MAX * (songs - (total - today)))) &&
  total < Math.max(EXCLUSIONS_ALWAYS_ALLOWED, Math.floor(EXCLUDED_SHARE_MAX * songs))

/** Whether a song may be excluded: the limits hold for all songs, and for each list that contains it. */
async function mayExcludeSong(queries: Queries, songRank: number, nowMs: number): Promise<boolean> {
  const excludedSongs = queries
    .selectFrom('unplayable_songs as u')
    .innerJoin('catalogue.songs as s', 's.youtube_id', 'u.song_id')
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.countAll<number>().filterWhere('u.since', '>=', computeDayStartMs(nowMs)).as('today'),
    ])
  const { songs } = await queries.selectFrom('catalogue.totals').select('songs').executeTakeFirstOrThrow()
  if (!isExclusionAllowed({ songs, ...(await excludedSongs.executeTakeFirstOrThrow()) })) return false
  const listsWithSong = queries.selectFrom('catalogue.context_songs').select('context_no').where('song_rank', '=', songRank)
  const songLists = await queries
    .selectFrom('catalogue.contexts as c')
    .leftJoin(
      excludedSongs
        .innerJoin('catalogue.context_songs as cs', 'cs.song_rank', 's.rank')
        .select('cs.context_no')
        .where('cs.context_no', 'in', listsWithSong)
        .groupBy('cs.context_no')
        .as('e'),
      'e.context_no',
      'c.no',
    )
    .select(['c.song_count as songs', 'e.total', 'e.today'])
    .where('c.no', 'in', listsWithSong)
    .execute()
  return songLists.every(({ songs, total, today }) => isExclusionAllowed({ songs, total: total ?? 0, today: today ?? 0 }))
}

/** Returns a text that changes whenever a song is excluded or restored. */
async function readExclusionVersion(queries: Queries): Promise<string> {
  const { count, latest } = await queries
    .selectFrom('unplayable_songs')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('since').as('latest')])
    .executeTakeFirstOrThrow()
  return `${count} ${latest}`
}

/** Excludes a song, unless too many are excluded already. */
async function excludeSong(database: Database, song: { id: string; rank: number }, excludedAtMs: number): Promise<void> {
  for (let isDone = false; !isDone; ) {
    const exclusionVersion = await readExclusionVersion(database.queries)
    if (!(await mayExcludeSong(database.queries, song.rank, excludedAtMs))) return
    isDone = await database.write(async (queries) => {
      // The excluded songs are counted before the transaction, because the catalogue is a separate database, which a write transaction of
      // SQLite does not read. The count is repeated if a song was excluded or restored in the meantime.
      await serialiseTransactions(queries)
      if ((await readExclusionVersion(queries)) !== exclusionVersion) return false
      await queries
        .insertInto('unplayable_songs')
        .values({ song_id: song.id, since: excludedAtMs })
        .onConflict((conflict) => conflict.column('song_id').doNothing())
        .execute()
      // Only plays after the exclusion can end the exclusion.
      await queries.deleteFrom('unplayable_plays').where('song_id', '=', song.id).execute()
      return true
    })
  }
}

/**
 * The time after which reports of unplayable songs, and plays of excluded ones, are deleted: longer than an exclusion, because the list of excluded
 * songs shows their reports.
 */
const REPORT_RETENTION_MS = 31 * DAY_MS

/** Restores songs whose exclusion has expired, and deletes old reports and plays. */
export async function deleteOldReports(queries: Queries, nowMs: number): Promise<void> {
  await restoreExpiredExclusions(queries, nowMs)
  await queries
    .deleteFrom('unplayable_reports')
    .where('reported_at', '<', nowMs - REPORT_RETENTION_MS)
    .execute()
  await queries
    .deleteFrom('unplayable_plays')
    .where('played_at', '<', nowMs - REPORT_RETENTION_MS)
    .execute()
}

export function createUnplayableSongStore(database: Database) {
  return {
    /** Ends the exclusion of a song. Returns false if the song is not excluded. */
    restoreSong: (songId: string): Promise<boolean> =>
      database.writeWithRevision(async (queries) => {
        const { numDeletedRows } = await queries.deleteFrom('unplayable_songs').where('song_id', '=', songId).executeTakeFirst()
        await removeExclusions(queries, [songId])
        return numDeletedRows > 0n
      }),

    /** Ends all exclusions. Returns their number. */
    restoreAll: (): Promise<number> =>
      database.writeWithRevision(async (queries) => {
        const unplayableRows = await queries.selectFrom('unplayable_songs').select('song_id').execute()
        for (const table of ['unplayable_songs', 'unplayable_reports', 'unplayable_plays'] as const)
          await queries.deleteFrom(table).execute()
        return unplayableRows.length
      }),

    /**
     * Records a report whose reason contains the error code of a dead video. Ignores other reports, and a client's reports above
     * `CLIENT_REPORTS_MAX_PER_DAY`. Excludes the song for 30 days at most if three distinct clients report it within a UTC day, unless as many clients
     * played the song that day (a video can be blocked in one country only) or too many songs are excluded. Returns false if the song does
     * not exist.
     */
    reportUnplayable: async (unplayableReport: { songId: string; reason: string; clientId: string; atMs: number }): Promise<boolean> => {
      const { songId, reason, atMs } = unplayableReport
      const song = await database.queries.selectFrom('catalogue.songs').select('rank').where('youtube_id', '=', songId).executeTakeFirst()
      if (song === undefined) return false
      if (!isDeadVideo(reason)) return true
      const reporterCount = await database.write(async (queries) => {
        await serialiseTransactions(queries)
        return storeReport(queries, unplayableReport)
      })
      if (reporterCount >= MIN_CONFIRMING_CLIENTS && reporterCount > (await countPlayers(database.queries, songId, atMs)))
        await excludeSong(database, { id: songId, rank: song.rank }, atMs)
      return true
    },

    /** Lists the excluded songs, newest first, then those that were reported by enough clients on the UTC day of `nowMs` but are not excluded. */
    listUnplayable: async (nowMs: number): Promise<UnplayableSong[]> => {
      const { queries } = database
      const excludedIds = queries.selectFrom('unplayable_songs').select('song_id')
      const reportedNotExcludedIds = selectReportsOfDay(queries, nowMs)
        .select('song_id')
        .where('song_id', 'not in', excludedIds)
        .groupBy('song_id')
        .having((eb) => eb.fn.countAll(), '>=', MIN_CONFIRMING_CLIENTS)
      const songRows = await queries
        .selectFrom('catalogue.songs as s')
        .leftJoin('unplayable_songs as u', 'u.song_id', 's.youtube_id')
        .select((eb) => {
          const songReports = eb.selectFrom('unplayable_reports as r').whereRef('r.song_id', '=', 's.youtube_id')
          return [
            's.youtube_id',
            's.title',
            'u.since',
            eb.selectFrom('video_checks as v').select('v.obstacle').whereRef('v.song_id', '=', 's.youtube_id').as('obstacle'),
            songReports.select((r) => r.fn.countAll<number>().as('reporters')).as('reporters'),
            songReports.select('r.reason').orderBy('r.reported_at', 'desc').limit(1).as('reason'),
            songReports.select((r) => r.fn.max('r.reported_at').as('last_reported')).as('last_reported'),
          ]
        })
        .where((eb) => eb.or([eb('s.youtube_id', 'in', excludedIds), eb('s.youtube_id', 'in', reportedNotExcludedIds)]))
        .orderBy((eb) => eb.fn.coalesce('u.since', eb.lit(0)), 'desc')
        .orderBy('s.rank')
        .execute()
      return songRows.map(({ youtube_id, title, since, obstacle, reporters, reason, last_reported }) => ({
        youtube_id,
        title,
        reporters: reporters ?? 0,
        reason: obstacle || reason || '',
        last_reported: new Date(last_reported ?? since ?? 0).toISOString(),
        excluded: since !== null,
      }))
    },
  }
}
