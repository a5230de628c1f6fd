import type { Member, MemberStats } from '../../contract/community.ts'
import type { Database } from '../storage/database.ts'
import type { Pagination } from '../storage/pagination.ts'
import type { MembersTable } from '../storage/schema.ts'
import { createPicturePath } from './picture-path.ts'

const toMember = (memberRow: MembersTable): Member => ({
  channel_id: memberRow.channel_id,
  channel_name: memberRow.channel_name,
  channel_pic: createPicturePath('member', memberRow.channel_id, memberRow.channel_pic),
  sub_tag: memberRow.sub_tag,
  testimonial: memberRow.testimonial,
  subs: memberRow.subs,
  views: memberRow.views,
})

/** Reads members, largest channel first. Academy members are excluded, although their songs are in the network playlist. */
export function createMemberStore({ queries }: Database) {
  const listedMembers = queries.selectFrom('members').where('academy', '=', 0)
  const largestFirstQuery = listedMembers.selectAll().orderBy('subs', 'desc').orderBy('channel_name').orderBy('channel_id')
  return {
    readStats: (): Promise<MemberStats> =>
      listedMembers
        .select((eb) => [
          eb.fn.countAll<number>().as('members'),
          eb.fn.coalesce(eb.fn.sum<number>('subs'), eb.lit(0)).as('subs'),
          eb.fn.coalesce(eb.fn.sum<number>('views'), eb.lit(0)).as('views'),
        ])
        .executeTakeFirstOrThrow(),
    list: async ({ limit, offset }: Pagination): Promise<Member[]> =>
      (await largestFirstQuery.limit(limit).offset(offset).execute()).map(toMember),
    /** Lists the members that have a testimonial. */
    listTestimonials: async ({ limit, offset }: Pagination): Promise<Member[]> =>
      (await largestFirstQuery.where('testimonial', '<>', '').limit(limit).offset(offset).execute()).map(toMember),
  }
}
