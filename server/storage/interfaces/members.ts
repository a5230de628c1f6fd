import type { Member, MemberStats } from '../../../contract/community.ts'
import type { Pagination } from '../pagination.ts'

/** Members of the network. Academy members are excluded. */
export interface MemberStore {
  readStats(): Promise<MemberStats>
  list(page: Pagination): Promise<Member[]>
  /** Lists the members that have a testimonial. */
  listTestimonials(page: Pagination): Promise<Member[]>
}
