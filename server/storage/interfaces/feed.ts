import type { FeedItem } from '../../../contract/community.ts'
import type { Pagination } from './pagination.ts'

export interface FeedStore {
  /** Lists the news items, newest first. */
  list(page: Pagination): Promise<FeedItem[]>
}
