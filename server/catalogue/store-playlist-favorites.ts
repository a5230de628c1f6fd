import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../storage/database.ts'
import { contextKinds } from '../storage/schema.ts'

const COUNT_REFRESH_INTERVAL_MS = 10 * 60_000
/** Number of playlists whose favorites are counted by one query. The query takes a few milliseconds for playlists of a hundred songs. */
const PLAYLISTS_PER_QUERY = 10

/**
 * Maximum number of favorites of one account that count for a playlist, so that a single account cannot decide the playlist's place in the order.
 */
const COUNTED_FAVORITES_PER_ACCOUNT_MAX = 5

/**
 * Counts the favorites of all accounts by playlist id; playlists without favorites are missing from the map. Counts are refreshed every ten minutes
 * and after an import, a few playlists at a time; meanwhile the previous counts are returned.
 */
export function createPlaylistFavoriteCounter({ queries, revision }: Pick<Database, 'queries' | 'revision'>) {
  let favoriteCounts: Map<string, number> | undefined
  let countedAtMs = 0
  let countedRevision = 0
  let pendingRefresh: Promise<void> | undefined

  async function refreshCounts(): Promise<void> {
    const { last } = await queries
      .selectFrom('catalogue.contexts')
      .select((eb) => eb.fn.max('no').as('last'))
      .where('kind', '<>', contextKinds.category)
      .executeTakeFirstOrThrow()
    const countsById = new Map<string, number>()
    for (let firstPlaylistNumber = 1; firstPlaylistNumber <= (last ?? 0); firstPlaylistNumber += PLAYLISTS_PER_QUERY) {
      const { rows } = await sql<{ id: string; favorites: number }>`
        select id, sum(case when favorites < ${sql.lit(COUNTED_FAVORITES_PER_ACCOUNT_MAX)} then favorites else ${sql.lit(COUNTED_FAVORITES_PER_ACCOUNT_MAX)} end) as favorites from (
          select c.id, count(*) as favorites from catalogue.contexts c
          join catalogue.context_songs cs on cs.context_no = c.no
          join catalogue.songs s on s.rank = cs.song_rank
          join favorites f on f.song_id = s.youtube_id and f.favorite = 1
          where c.no between ${firstPlaylistNumber} and ${firstPlaylistNumber + PLAYLISTS_PER_QUERY - 1} and c.kind <> ${sql.lit(contextKinds.category)}
          group by c.id, f.uid
        ) as of_accounts
        group by id`.execute(queries)
      for (const { id, favorites } of rows) countsById.set(id, favorites)
      await yieldToEventLoop()
    }
    favoriteCounts = countsById
  }

  return async (nowMs: number): Promise<ReadonlyMap<string, number>> => {
    if (pendingRefresh === undefined && (Math.abs(nowMs - countedAtMs) > COUNT_REFRESH_INTERVAL_MS || revision() !== countedRevision)) {
      countedAtMs = nowMs
      countedRevision = revision()
      pendingRefresh = refreshCounts().finally(() => {
        pendingRefresh = undefined
      })
      // Prevents an unhandled rejection. Callers that await the promise get the error; the next refresh tries again.
      pendingRefresh.catch(() => {})
    }
    if (favoriteCounts === undefined) await pendingRefresh
    return favoriteCounts ?? new Map()
  }
}
