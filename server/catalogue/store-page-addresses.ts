import type { Database } from '../storage/database.ts'

/** A song or playlist that has a page. */
export interface PageRow {
  id: string
  /** The time when a song was added, in epoch milliseconds; missing for playlists. */
  addedMs?: number
}

/** Lists the songs and playlists, each of which has a page of its own, for search engines. */
export function createPageAddressStore({ queries }: Database) {
  return {
    count: async (pageKind: 'songs' | 'playlists'): Promise<number> => {
      const totals = await queries.selectFrom('catalogue.totals').selectAll().executeTakeFirst()
      return (pageKind === 'songs' ? totals?.songs : totals?.explorable) ?? 0
    },
    // The ranks of songs and the numbers of playlists have no gaps, and playlists with songs come first. A range of rows is therefore found by one
    // index seek.
    /** Lists at most `rowLimit` rows, starting at row number `firstRowNumber`, which counts from 1. Playlists without songs are left out. */
    list: async (pageKind: 'songs' | 'playlists', firstRowNumber: number, rowLimit: number): Promise<PageRow[]> => {
      if (pageKind === 'songs') {
        return queries
          .selectFrom('catalogue.songs')
          .select(['youtube_id as id', 'date_added as addedMs'])
          .where('rank', '>=', firstRowNumber)
          .where('rank', '<', firstRowNumber + rowLimit)
          .orderBy('rank')
          .execute()
      }
      const totalsRow = await queries.selectFrom('catalogue.totals').select('explorable').executeTakeFirst()
      return queries
        .selectFrom('catalogue.contexts')
        .select('id')
        .where('no', '>=', firstRowNumber)
        .where('no', '<', Math.min(firstRowNumber + rowLimit, (totalsRow?.explorable ?? 0) + 1))
        .orderBy('no')
        .execute()
    },
  }
}
export type PageAddressStore = ReturnType<typeof createPageAddressStore>
