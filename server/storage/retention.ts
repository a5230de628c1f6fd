import { deleteOldChanges } from './applied-changes.ts'
import type { Database } from './database.ts'
import { deleteIdleLogins } from '../identity/store-logins.ts'
import { deleteOldPlays } from '../catalogue/store-plays.ts'
import { deleteSaltsBefore } from '../http/store.ts'
import { restoreExpired } from '../catalogue/store-unplayable.ts'

const DAY_MS = 86_400_000
/** The times in milliseconds after which rows are deleted that nothing else deletes. The privacy policies state them. */
const SETTLED_MAILS_MS = 30 * DAY_MS
const CONTACTS_MS = 730 * DAY_MS
/** A station's processes delete them after seconds while somebody listens. */
const LISTENERS_MS = 60_000
/** Longer than the time whose clicks owners of websites see. */
const WEBSITE_CLICKS_DAYS = 60
/** Longer than an exclusion lasts, whose list shows its reports. */
const UNPLAYABLE_REPORTS_MS = 31 * DAY_MS

/** Deletes what is kept for a limited time only, and is over at `atMs`. */
export async function deleteExpired(database: Database, atMs: number): Promise<void> {
  const today = Math.floor(atMs / DAY_MS)
  await database.write(async (queries) => {
    await deleteSaltsBefore(queries, today)
    await deleteIdleLogins(queries, atMs)
    await deleteOldPlays(queries, atMs)
    await deleteOldChanges(queries, atMs)
    await restoreExpired(queries, atMs)
    await queries
      .deleteFrom('mails')
      .where('created', '<', atMs - SETTLED_MAILS_MS)
      .where('due', 'is', null)
      .execute()
    await queries
      .deleteFrom('contacts')
      .where('created', '<', atMs - CONTACTS_MS)
      .execute()
    await queries
      .deleteFrom('unplayable_reports')
      .where('reported_at', '<', atMs - UNPLAYABLE_REPORTS_MS)
      .execute()
    await queries
      .deleteFrom('radio_listeners')
      .where('counted_at', '<', atMs - LISTENERS_MS)
      .execute()
    await queries
      .deleteFrom('website_clicks')
      .where('day', '<', today - WEBSITE_CLICKS_DAYS)
      .execute()
    await queries.deleteFrom('website_names').where('until', '<=', atMs).execute()
    await queries
      .deleteFrom('unplayable_plays')
      .where('played_at', '<', atMs - UNPLAYABLE_REPORTS_MS)
      .execute()
  })
}
