import type { Member } from '../../contract/community.ts'
import type { Database } from './database.ts'
import type { MembersTable } from './schema.ts'
import type { MemberStore } from './storage.ts'

const memberOf = (row: MembersTable): Member => ({
  channel_id: row.channel_id,
  channel_name: row.channel_name,
  channel_pic: `/img/member/${row.channel_id}`,
  sub_tag: row.sub_tag,
  testimonial: row.testimonial,
  subs: row.subs,
  views: row.views,
})

/** Academy members count as the network's for its songs, but not among its members. */
export function createMemberStore({ queries }: Database): MemberStore {
  const members = queries.selectFrom('members').where('academy', '=', 0)
  const largestFirst = members.selectAll().orderBy('subs', 'desc').orderBy('channel_name').orderBy('channel_id')
  return {
    stats: () =>
      members
        .select((eb) => [
          eb.fn.countAll<number>().as('members'),
          eb.fn.coalesce(eb.fn.sum<number>('subs'), eb.lit(0)).as('subs'),
          eb.fn.coalesce(eb.fn.sum<number>('views'), eb.lit(0)).as('views'),
        ])
        .executeTakeFirstOrThrow(),
    all: async ({ limit, offset }) => (await largestFirst.limit(limit).offset(offset).execute()).map(memberOf),
    testimonials: async ({ limit, offset }) =>
      (await largestFirst.where('testimonial', '<>', '').limit(limit).offset(offset).execute()).map(memberOf),
  }
}
