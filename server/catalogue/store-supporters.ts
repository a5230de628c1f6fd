import { sql } from 'kysely'
import type { Supporter } from '../../contract/community.ts'
import { selectSubscriberUids } from '../payments/store-subscribers.ts'
import type { Database, SqlTypes } from '../storage/database.ts'
import type { SupporterTexts } from '../storage/import/staged-rows.ts'
import type { Pagination } from '../storage/pagination.ts'
import { createPicturePath } from './picture-path.ts'

/** Adds a column with the texts and links of imported supporters' sites. */
export const addSupporterTextsColumn = ({ text }: SqlTypes): string[] => [
  `alter table supporters add column texts ${text} not null default '{}'`,
]

export function createSupporterStore({ queries }: Database) {
  return {
    /** Lists the imported supporters, and the subscribers' websites that are public at `atMs`, in order of name. */
    list: async ({ limit, offset }: Pagination, atMs: number): Promise<Supporter[]> => {
      const supporterWebsites = queries
        .selectFrom('websites')
        .innerJoin('website_names', 'website_names.uid', 'websites.uid')
        .select(['website_names.domain_name', 'websites.name', sql.lit('').as('profile_pic')])
        .where('website_names.until', 'is', null)
        .where('websites.enabled', '=', 1)
        .where('websites.hidden', '=', '')
        .where('websites.uid', 'in', selectSubscriberUids(queries, 'websites', atMs))
      const supporterRows = await queries
        .selectFrom(
          queries.selectFrom('supporters').select(['domain_name', 'name', 'profile_pic']).unionAll(supporterWebsites).as('all_supporters'),
        )
        .selectAll()
        .orderBy('name')
        .orderBy('domain_name')
        .limit(limit)
        .offset(offset)
        .execute()
      return supporterRows.map(({ domain_name, name, profile_pic }) => ({
        domain_name,
        name,
        profile_pic: createPicturePath('supporter', domain_name, profile_pic),
      }))
    },
    /** Returns the imported supporter with a domain name, which is the first label of the supporter's host. */
    find: async (domainName: string): Promise<(Pick<Supporter, 'domain_name' | 'name'> & SupporterTexts) | undefined> => {
      const supporterRow = await queries
        .selectFrom('supporters')
        .select(['domain_name', 'name', 'texts'])
        .where('domain_name', '=', domainName)
        .executeTakeFirst()
      // The cast is safe, because the importer wrote the text.
      return (
        supporterRow && {
          domain_name: supporterRow.domain_name,
          name: supporterRow.name,
          ...(JSON.parse(supporterRow.texts) as SupporterTexts),
        }
      )
    },
  }
}
