import { sql } from 'kysely'
import type { Supporter } from '../../contract/community.ts'
import { subscriberUids } from '../payments/store-subscribers.ts'
import type { Database, SqlTypes } from '../storage/database.ts'
import type { SupporterTexts } from '../storage/import/staged-rows.ts'
import type { Pagination } from '../storage/pagination.ts'
import { picturePath } from './picture-path.ts'

/** Adds a column with the texts and links of imported supporters' sites. */
export const addSupporterTextsColumn = ({ text }: SqlTypes): string[] => [
  `alter table supporters add column texts ${text} not null default '{}'`,
]

export function createSupporterStore({ queries }: Database) {
  return {
    /** Lists the imported supporters, and the subscribers' websites that are public at `atMs`, in order of name. */
    list: async ({ limit, offset }: Pagination, atMs: number): Promise<Supporter[]> => {
      const websites = queries
        .selectFrom('websites')
        .innerJoin('website_names', 'website_names.uid', 'websites.uid')
        .select(['website_names.domain_name', 'websites.name', sql.lit('').as('profile_pic')])
        .where('website_names.until', 'is', null)
        .where('websites.enabled', '=', 1)
        .where('websites.hidden', '=', '')
        .where('websites.uid', 'in', subscriberUids(queries, 'websites', atMs))
      const rows = await queries
        .selectFrom(queries.selectFrom('supporters').select(['domain_name', 'name', 'profile_pic']).unionAll(websites).as('all_supporters'))
        .selectAll()
        .orderBy('name')
        .orderBy('domain_name')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map(({ domain_name, name, profile_pic }) => ({
        domain_name,
        name,
        profile_pic: picturePath('supporter', domain_name, profile_pic),
      }))
    },
    /** Returns the imported supporter with a domain name, which is the first label of the supporter's host. */
    find: async (domainName: string): Promise<(Pick<Supporter, 'domain_name' | 'name'> & SupporterTexts) | undefined> => {
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
