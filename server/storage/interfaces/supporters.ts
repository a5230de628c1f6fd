import type { Supporter } from '../../../contract/community.ts'
import type { Pagination } from './pagination.ts'

export interface SupporterStore {
  list(page: Pagination): Promise<Supporter[]>
}
