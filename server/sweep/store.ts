import { sql } from 'kysely'
import { bumpRevision, type Database, type Queries, type SqlTypes } from '../storage/database.ts'

/** The latest response of YouTube about the video of a song. `obstacle` is empty if the video can be played. */
interface VideoChecksTable {
  song_id: string
  checked_at: number
  obstacle: string
}

declare module '../storage/schema.ts' {
  interface Tables {
    video_checks: VideoChecksTable
  }
}

export const createVideoChecksTable = ({ text }: SqlTypes): string[] => [
  `create table video_checks (song_id ${text} primary key, checked_at bigint not null, obstacle ${text} not null)`,
  'create index video_checks_by_time on video_checks (checked_at)',
  "insert into state (key, value) values ('sweep', 0)",
]

/** The result of the check of a song's video. */
export interface VideoCheck {
  songId: string
  obstacle: string
  /** The length in whole seconds; undefined if it is unknown. */
  durationS: number | undefined
}

/** The key of the row of `state` with the time in epoch milliseconds until which a running sweep is claimed. */
const RUN_CLAIM_KEY = 'sweep-run'

/** Stores the obstacle of a song. Returns whether the song was excluded, or returned to the radio and random songs. */
async function storeObstacle(queries: Queries, { songId, obstacle }: VideoCheck, checkedAtMs: number): Promise<boolean> {
  const rowBefore = await queries.selectFrom('video_checks').select('obstacle').where('song_id', '=', songId).executeTakeFirst()
  await queries
    .insertInto('video_checks')
    .values({ song_id: songId, checked_at: checkedAtMs, obstacle })
    .onConflict((conflict) => conflict.column('song_id').doUpdateSet({ checked_at: checkedAtMs, obstacle }))
    .execute()
  if (obstacle === '') {
    if (rowBefore === undefined || rowBefore.obstacle === '') return false
    const { numDeletedRows } = await queries.deleteFrom('unplayable_songs').where('song_id', '=', songId).executeTakeFirst()
    return numDeletedRows > 0n
  }
  const exclusionBefore = await queries.selectFrom('unplayable_songs').select('since').where('song_id', '=', songId).executeTakeFirst()
  await queries
    .insertInto('unplayable_songs')
    .values({ song_id: songId, since: checkedAtMs })
    // The time is renewed, because an exclusion ends after a month.
    .onConflict((conflict) => conflict.column('song_id').doUpdateSet({ since: checkedAtMs }))
    .execute()
  return exclusionBefore === undefined
}

/** Stores a length unless one is stored. Returns whether it was stored. */
async function storeDuration(queries: Queries, songId: string, durationS: number): Promise<boolean> {
  const insertedRow = await queries
    .insertInto('learned_durations')
    .values({ song_id: songId, duration: durationS })
    .onConflict((conflict) => conflict.doNothing())
    .returning('song_id')
    .executeTakeFirst()
  return insertedRow !== undefined
}

/** The checks of the songs' videos, which every process of the site shares. */
export function createSweepStore(database: Database) {
  return {
    /** Claims the sweep of a night for one process. Returns false if a process has claimed it since `unclaimedSinceMs`. */
    claimNight: (claimedAtMs: number, unclaimedSinceMs: number): Promise<boolean> =>
      database.write(async (queries) => {
        const { numUpdatedRows } = await queries
          .updateTable('state')
          .set({ value: claimedAtMs })
          .where('key', '=', 'sweep')
          .where('value', '<=', unclaimedSinceMs)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      }),

    /** Claims the checks of songs until `untilMs`, so that no two sweeps run at the same time. Returns false if another claim lasts at `nowMs`. */
    claimRun: (untilMs: number, nowMs: number): Promise<boolean> =>
      database.write(async (queries) => {
        const claimRow = await queries
          .insertInto('state')
          .values({ key: RUN_CLAIM_KEY, value: untilMs })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: untilMs }).where('state.value', '<=', nowMs))
          .returning('key')
          .executeTakeFirst()
        return claimRow !== undefined
      }),

    /** Changes the end of a run's claim; zero releases it. Returns false if the claim until `heldUntilMs` has ended and another sweep has begun. */
    moveRunClaim: (heldUntilMs: number, untilMs: number): Promise<boolean> =>
      database.write(async (queries) => {
        const { numUpdatedRows } = await queries
          .updateTable('state')
          .set({ value: untilMs })
          .where('key', '=', RUN_CLAIM_KEY)
          .where('value', '=', heldUntilMs)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      }),

    /** Lists the songs that were not checked since `checkedBeforeMs`: those that were never checked first, then those whose check is the oldest. */
    listDue: async (checkedBeforeMs: number, songLimit: number): Promise<string[]> => {
      const rows = await database.queries
        .selectFrom('catalogue.songs as s')
        .leftJoin('video_checks as v', 'v.song_id', 's.youtube_id')
        .select('s.youtube_id')
        .where((eb) => eb.or([eb('v.checked_at', 'is', null), eb('v.checked_at', '<=', checkedBeforeMs)]))
        .orderBy((eb) => eb.fn.coalesce('v.checked_at', eb.lit(0)))
        .orderBy('s.rank')
        .limit(songLimit)
        .execute()
      return rows.map((row) => row.youtube_id)
    },

    /**
     * Lists random songs other than `excludedIds`. Those that could be played at their last check come first; a catalogue without such songs lists
     * the rest.
     */
    listControls: async (excludedIds: readonly string[], songLimit: number): Promise<string[]> => {
      const rows = await database.queries
        .selectFrom('catalogue.songs as s')
        .leftJoin('video_checks as v', 'v.song_id', 's.youtube_id')
        .select('s.youtube_id')
        .where('s.youtube_id', 'not in', excludedIds)
        .orderBy((eb) => eb.case().when('v.obstacle', '=', '').then(0).else(1).end())
        .orderBy(sql`random()`)
        .limit(songLimit)
        .execute()
      return rows.map((row) => row.youtube_id)
    },

    /**
     * Stores checks. A song with an obstacle leaves the radio and random songs, like one that listeners could not play; a song whose obstacle has
     * ended returns. The length of a song without one is stored. The revision changes only if an exclusion or the length of a song changes.
     */
    storeChecks: async (checks: readonly VideoCheck[], checkedAtMs: number): Promise<void> => {
      // Read before the transaction, because the catalogue is a separate database, which a write transaction of SQLite does not read.
      const songRowsWithoutDuration = await database.queries
        .selectFrom('catalogue.songs')
        .select('youtube_id')
        .where(
          'youtube_id',
          'in',
          checks.map(({ songId }) => songId),
        )
        .where('duration', 'is', null)
        .execute()
      const idsWithoutDuration = new Set(songRowsWithoutDuration.map((row) => row.youtube_id))
      await database.write(async (queries) => {
        let hasVisibleChange = false
        for (const check of checks) {
          if (await storeObstacle(queries, check, checkedAtMs)) hasVisibleChange = true
          const { songId, durationS } = check
          if (durationS !== undefined && (await storeDuration(queries, songId, durationS)) && idsWithoutDuration.has(songId))
            hasVisibleChange = true
        }
        if (hasVisibleChange) await bumpRevision(queries)
      })
    },
  }
}
