import type { FeedItem } from '../../../contract/community.ts'
import type { Pagination } from '../pagination.ts'

export interface FeedStore {
  /** Lists the news items, newest first. */
  list(page: Pagination): Promise<FeedItem[]>
  /**
   * Adds and updates news items, all or none.
   * @throws ImportError naming the first invalid item
   */
  put(items: readonly unknown[]): Promise<void>
}
