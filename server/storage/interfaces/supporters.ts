import type { Supporter } from '../../../contract/community.ts'
import type { Pagination } from './pagination.ts'

export interface SupporterStore {
  list(page: Pagination): Promise<Supporter[]>
  /** Whether a supporter has the domain name, which is the name before the site's host. */
  has(domainName: string): Promise<boolean>
}
