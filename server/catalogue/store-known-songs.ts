import { sql } from 'kysely'
import type { Database } from '../storage/database.ts'

/** Returns a function that returns those of the given song ids that are in the catalogue. */
export function createKnownSongFinder({ queries, dialect }: Pick<Database, 'queries' | 'dialect'>) {
  return async (songIds: readonly string[]): Promise<Set<string>> => {
    if (songIds.length === 0) return new Set()
    const songRows = await queries
      .selectFrom('catalogue.songs')
      .select('youtube_id')
      .where(sql<boolean>`youtube_id in ${dialect.listOfTexts(songIds)}`)
      .execute()
    return new Set(songRows.map((row) => row.youtube_id))
  }
}
