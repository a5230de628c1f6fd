import type { SelectQueryBuilder } from 'kysely'
import { selectGrantedSubscribers } from '../identity/store-roles.ts'
import type { Queries } from '../storage/database.ts'
import type { Tables } from '../storage/schema.ts'
import { selectPaidSubscribers } from './store.ts'

/** Selects the uids of a table's accounts that are subscribers at `atMs` and not disabled. */
export const selectSubscriberUids = (
  queries: Queries,
  tableName: 'promotions' | 'websites',
  atMs: number,
): SelectQueryBuilder<Tables, 'promotions', { uid: string }> =>
  queries
    // The cast is safe, because every table that can be passed has the columns that the query reads.
    .selectFrom(tableName as 'promotions')
    .select('uid')
    .where((eb) =>
      eb.or([
        eb('uid', 'in', selectGrantedSubscribers(queries, 'uid', atMs)),
        eb('email', 'in', selectGrantedSubscribers(queries, 'email', atMs)),
        eb('uid', 'in', selectPaidSubscribers(queries, 'uid', atMs)),
        eb('email', 'in', selectPaidSubscribers(queries, 'email', atMs)),
      ]),
    )
    .where('uid', 'not in', queries.selectFrom('accounts').select('uid').where('disabled', '=', 1))

/** Returns whether the owner of a website is a subscriber at `atMs` and no admin has hidden the website, so that visitors may see it if it is enabled. */
export const mayShowWebsite = async (queries: Queries, uid: string, atMs: number): Promise<boolean> =>
  (await selectSubscriberUids(queries, 'websites', atMs)
    .where('uid', '=', uid)
    .where('uid', 'in', queries.selectFrom('websites').select('uid').where('hidden', '=', ''))
    .executeTakeFirst()) !== undefined
