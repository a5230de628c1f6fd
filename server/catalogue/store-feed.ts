import type { FeedItem } from '../../contract/community.ts'
import type { RichText } from '../../contract/rich-text.ts'
import type { Database, SqlTypes } from '../storage/database.ts'
import { createFeedUpdatedSql, toStagedFeedItem } from '../storage/import/staged-rows.ts'
import { formatRowName, validateRow } from '../storage/import/validate.ts'
import type { Pagination } from '../storage/pagination.ts'
import type { FeedTable } from '../storage/schema.ts'
import { convertToRichText } from '../text/rich-text.ts'
import { createPicturePath } from './picture-path.ts'

/** Adds a column with the content of news items as rich text (JSON), which is empty in existing rows. */
export const addFeedContentTreeColumn = ({ text }: SqlTypes): string[] => [
  `alter table feed add column content_tree ${text} not null default ''`,
]

/** Adds a column with the time of the latest change of a news item's text, which is 0 in existing rows. */
export const addFeedUpdatedColumn = (): string[] => ['alter table feed add column updated bigint not null default 0']

/** Returns the content as rich text. The cast is safe because imports write rich text only. */
const readContentTree = ({ content, content_tree }: Pick<FeedTable, 'content' | 'content_tree'>): RichText =>
  content_tree === '' ? convertToRichText(content) : (JSON.parse(content_tree) as RichText)

export function createFeedStore(database: Database) {
  return {
    /**
     * Adds and updates news items, all or none.
     * @throws ImportError naming the first invalid item
     */
    put: async (feedItems: readonly unknown[]): Promise<void> => {
      const feedRows = feedItems.map((feedItem, index) => {
        const { seq: _position, ...stagedRow } = toStagedFeedItem(
          validateRow('feed', { key: 'feed', value: feedItem, index }),
          index,
          formatRowName('feed', index),
        )
        return stagedRow
      })
      await database.writeWithRevision(async (queries) => {
        for (const { id, ...columnValues } of feedRows)
          await queries
            .insertInto('feed')
            .values({ id, ...columnValues })
            .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...columnValues, updated: createFeedUpdatedSql(Date.now()) }))
            .execute()
      })
    },
    /** Lists the news items that are not dated after `atMs`, newest first. */
    list: async ({ limit, offset }: Pagination, atMs: number): Promise<FeedItem[]> => {
      const feedRows = await database.queries
        .selectFrom('feed')
        .selectAll()
        .where('date', '<=', atMs)
        .orderBy('date', 'desc')
        .orderBy('id')
        .limit(limit)
        .offset(offset)
        .execute()
      return feedRows.map((feedRow) => ({
        id: feedRow.id,
        title: feedRow.title,
        content: feedRow.content,
        content_tree: readContentTree(feedRow),
        image: feedRow.image === '' ? '' : createPicturePath('feed', feedRow.id, feedRow.image),
        url: feedRow.url,
        date: new Date(feedRow.date).toISOString(),
        ...(feedRow.updated > feedRow.date && { updated: new Date(feedRow.updated).toISOString() }),
      }))
    },
  }
}
