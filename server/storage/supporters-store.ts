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
  }
}
