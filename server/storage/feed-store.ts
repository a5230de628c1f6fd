import type { Database } from './database.ts'
import type { FeedStore } from './interfaces/feed.ts'

export function createFeedStore({ queries }: Database): FeedStore {
  return {
    list: async ({ limit, offset }) => {
      const rows = await queries.selectFrom('feed').selectAll().orderBy('date', 'desc').orderBy('id').limit(limit).offset(offset).execute()
      return rows.map((row) => ({
        id: row.id,
        title: row.title,
        content: row.content,
        image: row.image === '' ? '' : `/img/feed/${row.id}`,
        url: row.url,
        date: new Date(row.date).toISOString(),
      }))
    },
  }
}
