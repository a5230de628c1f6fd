import type { Database } from './database.ts'
import type { SongStore } from './interfaces/songs.ts'

const DAY_MS = 86_400_000
/** Number of distinct clients that must report a song within a day to exclude it. */
const MIN_REPORTERS = 3

export function createUnplayable(database: Database): Pick<SongStore, 'reportUnplayable' | 'listUnplayable'> {
  return {
    reportUnplayable: async ({ songId, reason, clientId, atMs }) => {
      const song = await database.queries.selectFrom('catalogue.songs').select('rank').where('youtube_id', '=', songId).executeTakeFirst()
      if (song === undefined) return false
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
          .where('reported_at', '>', atMs - DAY_MS)
          .executeTakeFirstOrThrow()
        if (reporters < MIN_REPORTERS) return
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
