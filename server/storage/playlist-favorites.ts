import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { contextKinds } from './schema.ts'

const COUNT_EVERY_MS = 10 * 60_000
/** How many playlists a query counts: with a hundred songs in each, some milliseconds. */
const AT_ONCE = 10

/**
 * How many favorites the songs of each playlist have, in all accounts, by the playlist's id; those without any are left out. It is counted anew
 * every ten minutes and with a new catalogue, a few playlists at a time, while the count before goes on to stand.
 */
export function createPlaylistFavorites({ queries, revision }: Pick<Database, 'queries' | 'revision'>) {
  let counts: Map<string, number> | undefined
  let countedAtMs = 0
  let countedRevision = 0
  let counting: Promise<void> | undefined

  async function count(): Promise<void> {
    const { last } = await queries
      .selectFrom('catalogue.contexts')
      .select((eb) => eb.fn.max('no').as('last'))
      .where('kind', '<>', contextKinds.category)
      .executeTakeFirstOrThrow()
    const counted = new Map<string, number>()
    for (let first = 1; first <= (last ?? 0); first += AT_ONCE) {
      const { rows } = await sql<{ id: string; favorites: number }>`
        select c.id, count(*) as favorites from catalogue.contexts c
        join catalogue.context_songs cs on cs.context_no = c.no
        join catalogue.songs s on s.rank = cs.song_rank
        join favorites f on f.song_id = s.youtube_id and f.favorite = 1
        where c.no between ${first} and ${first + AT_ONCE - 1} and c.kind <> ${sql.lit(contextKinds.category)}
        group by c.id`.execute(queries)
      for (const { id, favorites } of rows) counted.set(id, favorites)
      await nextTurn()
    }
    counts = counted
  }

  return async (nowMs: number): Promise<ReadonlyMap<string, number>> => {
    if (counting === undefined && (Math.abs(nowMs - countedAtMs) > COUNT_EVERY_MS || revision() !== countedRevision)) {
      countedAtMs = nowMs
      countedRevision = revision()
      counting = count().finally(() => {
        counting = undefined
      })
      // Whoever waits for it learns why it failed; the next count comes in its time.
      counting.catch(() => {})
    }
    if (counts === undefined) await counting
    return counts ?? new Map()
  }
}
