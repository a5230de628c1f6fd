import type { Database } from './database.ts'
import type { SupporterStore } from './interfaces/supporters.ts'

export function createSupporterStore({ queries }: Database): SupporterStore {
  return {
    list: async ({ limit, offset }) => {
      const rows = await queries
        .selectFrom('supporters')
        .selectAll()
        .orderBy('name')
        .orderBy('domain_name')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map((row) => ({ domain_name: row.domain_name, name: row.name, profile_pic: `/img/supporter/${row.domain_name}` }))
    },
    has: async (domainName) => {
      const row = await queries.selectFrom('supporters').select('domain_name').where('domain_name', '=', domainName).executeTakeFirst()
      return row !== undefined
    },
  }
}
