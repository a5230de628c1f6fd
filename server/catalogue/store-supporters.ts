import type { Database } from '../storage/database.ts'
import type { SupporterStore, SupporterTexts } from '../storage/interfaces/supporters.ts'
import { subscriberUids } from '../payments/store-subscribers.ts'

export function createSupporterStore({ queries }: Database): SupporterStore {
  return {
    list: async ({ limit, offset }, atMs) => {
      const websites = queries
        .selectFrom('websites')
        .innerJoin('website_names', 'website_names.uid', 'websites.uid')
        .select(['website_names.domain_name', 'websites.name'])
        .where('website_names.until', 'is', null)
        .where('websites.enabled', '=', 1)
        .where('websites.uid', 'in', subscriberUids(queries, 'websites', atMs))
      const rows = await queries
        .selectFrom(queries.selectFrom('supporters').select(['domain_name', 'name']).unionAll(websites).as('all_supporters'))
        .selectAll()
        .orderBy('name')
        .orderBy('domain_name')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map((row) => ({ domain_name: row.domain_name, name: row.name, profile_pic: `/img/supporter/${row.domain_name}` }))
    },
    find: async (domainName) => {
      const row = await queries
        .selectFrom('supporters')
        .select(['domain_name', 'name', 'texts'])
        .where('domain_name', '=', domainName)
        .executeTakeFirst()
      // The cast is safe, because the importer wrote the text.
      return row && { domain_name: row.domain_name, name: row.name, ...(JSON.parse(row.texts) as SupporterTexts) }
    },
  }
}
