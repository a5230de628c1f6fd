import { isSentBy } from '../contact/store.ts'
import { isGrantedTo, type RoleHolder } from '../identity/store-roles.ts'
import type { Queries } from '../storage/database.ts'
import type { ActionEffects } from './store-actions.ts'
import { countRows } from './store-owners.ts'

/** The tables whose rows with the uid of an account are deleted with the account. */
const accountTables = [
  'account_codes',
  'discord_accounts',
  'discord_attempts',
  'make_history',
  'maker_presets',
  'conversions',
  'favorites',
  'favorite_lists',
  'follows',
  'follow_lists',
  'push_subscriptions',
  'own_playlists',
  'own_playlist_entries',
  'own_playlist_positions',
  'own_playlist_reports',
  'promotions',
  'promotion_days',
  'websites',
  'website_banners',
  'website_portraits',
  'website_songs',
  'website_clicks',
] as const

/** Counts the rows that are deleted with an account, by table. The tokens of its logins are not counted. */
export async function countAccountRows(queries: Queries, holder: RoleHolder): Promise<ActionEffects> {
  const { uid } = holder
  const count = queries.fn.countAll<number>().as('n')
  const sentMessages = queries.selectFrom('contacts').where(isSentBy(holder))
  const { n: messageCount } = await sentMessages.select(count).executeTakeFirstOrThrow()
  const { n: mailCount } = await queries
    .selectFrom('mails')
    .where('contact_id', 'in', sentMessages.select('contacts.id'))
    .select(count)
    .executeTakeFirstOrThrow()
  const { n: roleCount } = await queries.selectFrom('roles').where(isGrantedTo(holder)).select(count).executeTakeFirstOrThrow()
  const { n: changeCount } = await queries.selectFrom('applied_changes').where('owner', '=', uid).select(count).executeTakeFirstOrThrow()
  const rowCounts: Record<string, number> = {
    accounts: 1,
    logins: await countRows(queries, 'refresh_families', uid),
    roles: Number(roleCount),
    contacts: Number(messageCount),
    mails: Number(mailCount),
    applied_changes: Number(changeCount),
  }
  for (const table of accountTables) rowCounts[table] = await countRows(queries, table, uid)
  return rowCounts
}
