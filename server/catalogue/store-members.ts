import type { Member, MemberStats } from '../../contract/community.ts'
import type { Database } from '../storage/database.ts'
import type { Pagination } from '../storage/pagination.ts'
import type { MembersTable } from '../storage/schema.ts'
import { picturePath } from './picture-path.ts'

const memberOf = (row: MembersTable): Member => ({
  channel_id: row.channel_id,
  channel_name: row.channel_name,
  channel_pic: picturePath('member', row.channel_id, row.channel_pic),
  sub_tag: row.sub_tag,
  testimonial: row.testimonial,
  subs: row.subs,
  views: row.views,
})

/** Reads members, largest channel first. Academy members are excluded, although their songs are in the network playlist. */
export function createMemberStore({ queries }: Database) {
  const members = queries.selectFrom('members').where('academy', '=', 0)
  const largestFirst = members.selectAll().orderBy('subs', 'desc').orderBy('channel_name').orderBy('channel_id')
  return {
    readStats: (): Promise<MemberStats> =>
      members
        .select((eb) => [
          eb.fn.countAll<number>().as('members'),
          eb.fn.coalesce(eb.fn.sum<number>('subs'), eb.lit(0)).as('subs'),
          eb.fn.coalesce(eb.fn.sum<number>('views'), eb.lit(0)).as('views'),
        ])
        .executeTakeFirstOrThrow(),
    list: async ({ limit, offset }: Pagination): Promise<Member[]> =>
      (await largestFirst.limit(limit).offset(offset).execute()).map(memberOf),
    /** Lists the members that have a testimonial. */
    listTestimonials: async ({ limit, offset }: Pagination): Promise<Member[]> =>
      (await largestFirst.where('testimonial', '<>', '').limit(limit).offset(offset).execute()).map(memberOf),
  }
}
