import type { Database, SqlTypes } from '../storage/database.ts'

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

/** The checks of the songs' videos, which every process of the site shares. */
export function createSweepStore(database: Database) {
  return {
    /** Claims the sweep for one process. Returns false if a process has claimed it since `unclaimedSinceMs`. */
    claim: (claimedAtMs: number, unclaimedSinceMs: number): Promise<boolean> =>
      database.write(async (queries) => {
        const { numUpdatedRows } = await queries
          .updateTable('state')
          .set({ value: claimedAtMs })
          .where('key', '=', 'sweep')
          .where('value', '<=', unclaimedSinceMs)
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
     * Stores checks. A song with an obstacle leaves the radio and random songs, like one that listeners could not play; a song whose obstacle has
     * ended returns. The length of a song without one is stored.
     */
    storeChecks: (checks: readonly VideoCheck[], checkedAtMs: number): Promise<void> =>
      database.writeWithRevision(async (queries) => {
        for (const { songId, obstacle, durationS } of checks) {
          const rowBefore = await queries.selectFrom('video_checks').select('obstacle').where('song_id', '=', songId).executeTakeFirst()
          await queries
            .insertInto('video_checks')
            .values({ song_id: songId, checked_at: checkedAtMs, obstacle })
            .onConflict((conflict) => conflict.column('song_id').doUpdateSet({ checked_at: checkedAtMs, obstacle }))
            .execute()
          if (obstacle !== '')
            await queries
              .insertInto('unplayable_songs')
              .values({ song_id: songId, since: checkedAtMs })
              // The time is renewed, because an exclusion ends after a month.
              .onConflict((conflict) => conflict.column('song_id').doUpdateSet({ since: checkedAtMs }))
              .execute()
          else if (rowBefore !== undefined && rowBefore.obstacle !== '')
            await queries.deleteFrom('unplayable_songs').where('song_id', '=', songId).execute()
          if (durationS !== undefined)
            await queries
              .insertInto('learned_durations')
              .values({ song_id: songId, duration: durationS })
              .onConflict((conflict) => conflict.doNothing())
              .execute()
        }
      }),
  }
}
