import type { RichText } from '../../contract/rich-text.ts'
import { richTextOf } from '../text/rich-text.ts'
import type { Database } from './database.ts'
import type { FeedStore } from './interfaces/feed.ts'
import type { FeedTable } from './schema.ts'

/** Returns the content as rich text. The cast is safe because imports write rich text only. */
const contentTreeOf = ({ content, content_tree }: FeedTable): RichText =>
  content_tree === '' ? richTextOf(content) : (JSON.parse(content_tree) as RichText)

export function createFeedStore({ queries }: Database): FeedStore {
  return {
    list: async ({ limit, offset }) => {
      const rows = await queries.selectFrom('feed').selectAll().orderBy('date', 'desc').orderBy('id').limit(limit).offset(offset).execute()
      return rows.map((row) => ({
        id: row.id,
        title: row.title,
        content: row.content,
        content_tree: contentTreeOf(row),
        image: row.image === '' ? '' : `/img/feed/${row.id}`,
        url: row.url,
        date: new Date(row.date).toISOString(),
      }))
    },
  }
}
