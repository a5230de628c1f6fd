import type { FeedItem } from '../../contract/community.ts'
import type { RichText } from '../../contract/rich-text.ts'
import type { Database, SqlTypes } from '../storage/database.ts'
import { feedUpdatedSql, toStagedFeedItem } from '../storage/import/staged-rows.ts'
import { rowName, validateRow } from '../storage/import/validate.ts'
import type { Pagination } from '../storage/pagination.ts'
import type { FeedTable } from '../storage/schema.ts'
import { htmlToRichText } from '../text/rich-text.ts'
import { picturePath } from './picture-path.ts'

/** Adds a column with the content of news items as rich text (JSON), which is empty in existing rows. */
export const addFeedContentTreeColumn = ({ text }: SqlTypes): string[] => [
  `alter table feed add column content_tree ${text} not null default ''`,
]

/** Adds a column with the time of the latest change of a news item's text, which is 0 in existing rows. */
export const addFeedUpdatedColumn = (): string[] => ['alter table feed add column updated bigint not null default 0']

/** Returns the content as rich text. The cast is safe because imports write rich text only. */
const contentTreeOf = ({ content, content_tree }: Pick<FeedTable, 'content' | 'content_tree'>): RichText =>
  content_tree === '' ? htmlToRichText(content) : (JSON.parse(content_tree) as RichText)

export function createFeedStore(database: Database) {
  return {
    /**
     * Adds and updates news items, all or none.
     * @throws ImportError naming the first invalid item
     */
    put: async (items: readonly unknown[]): Promise<void> => {
      const rows = items.map((value, index) => {
        const { seq: _position, ...row } = toStagedFeedItem(
          validateRow('feed', { key: 'feed', value, index }),
          index,
          rowName('feed', index),
        )
        return row
      })
      await database.writeWithRevision(async (queries) => {
        for (const { id, ...columns } of rows)
          await queries
            .insertInto('feed')
            .values({ id, ...columns })
            .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...columns, updated: feedUpdatedSql(Date.now()) }))
            .execute()
      })
    },
    /** Lists the news items that are not dated after `atMs`, newest first. */
    list: async ({ limit, offset }: Pagination, atMs: number): Promise<FeedItem[]> => {
      const rows = await database.queries
        .selectFrom('feed')
        .selectAll()
        .where('date', '<=', atMs)
        .orderBy('date', 'desc')
        .orderBy('id')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        title: row.title,
        content: row.content,
        content_tree: contentTreeOf(row),
        image: row.image === '' ? '' : picturePath('feed', row.id, row.image),
        url: row.url,
        date: new Date(row.date).toISOString(),
        ...(row.updated > row.date && { updated: new Date(row.updated).toISOString() }),
      }))
    },
  }
}
