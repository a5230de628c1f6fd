import { brands } from '../../../brands/registry.ts'
import { CONVERSIONS_PER_HOUR, CONVERTED_FILE_STORAGE_DAYS } from '../../../contract/conversion-rules.ts'
import { FOLLOWS_MAX } from '../../../contract/follow-rules.ts'
import { ENTRIES_PER_ACCOUNT_MAX, OWN_PLAYLISTS_MAX } from '../../../contract/own-playlist-rules.ts'
import { stations } from '../../../contract/radio.ts'
import { clickTargets, WEBSITE_SONGS_MAX } from '../../../contract/website-rules.ts'
import { UNFOLLOWED_ARTISTS_MAX } from '../../follows/store.ts'
import { DELETED_PLAYLISTS_MAX, REMOVED_ENTRIES_MAX } from '../../own-playlists/store-changes.ts'
import { PUSH_SUBSCRIPTIONS_MAX } from '../../push/store.ts'
import type { readTables } from '../../storage/testing/read-tables.ts'

/** The quantities on which the allowed number of rows depends. */
export interface SiteUsage {
  /** The number of rows of each table before the first request. */
  firstRows: Readonly<Record<string, number>>
  signUps: number
  deletions: number
  /** The number of days on which the site was used. */
  days: number
  /** The number of songs and playlists in the catalogue. */
  songs: number
  playlists: number
  /** The number of plays and messages that were accepted in the last seven days. */
  changes: number
}

/** Tables to which visitors do not write. They have as many rows as before the first request. */
const ADMIN_TABLES = [
  ...[
    'admin_actions',
    'category_names',
    'feed',
    'hidden_places',
    'hidden_playlists',
    'hidden_songs',
    'logos',
    'members',
    'migrations',
    'paid_grants',
    'payment_events',
    'payment_groups',
    'roles',
    'settings',
    'state',
  ],
  'supporters',
]
/** The columns with the id of the account that owns a row; for refresh tokens, the id of the login. */
const OWNER_COLUMNS = ['uid', 'owner', 'family_id']

/**
 * The largest number of rows of each table that docs/security.md allows ('What can grow'), in total and for one account. It applies a day
 * after the last request, when expired rows have been deleted.
 */
function computeMaxRowCounts({ firstRows, signUps, deletions, days, songs, playlists, changes }: SiteUsage) {
  const daysInLastMonth = Math.min(days, 31)
  return {
    total: {
      ...Object.fromEntries(ADMIN_TABLES.map((table) => [table, firstRows[table] ?? 0])),
      accounts: (firstRows.accounts ?? 0) + signUps,
      contacts: 2 * 500 * days,
      promotion_days: days,
      play_marks: 0,
      playlist_plays: daysInLastMonth * playlists,
      unplayable_reports: daysInLastMonth * 10 * songs,
      unplayable_plays: daysInLastMonth * 2 * songs,
      unplayable_songs: songs,
      duration_reports: 0,
      learned_durations: songs,
      video_checks: songs,
      playlist_videos: 0,
      radio_stations: brands.length * stations.length,
      radio_listeners: 0,
      daily_salts: 1,
      attempts: 0,
      // SQLite's own table. It has one row for each table that numbers its rows.
      sqlite_sequence: Object.keys(firstRows).length,
      // The number of mails: one for each message, and at most 40 to the email address of each account in an hour in which the site is used.
      mails: daysInLastMonth * (2 * 500 + 2 * 40 * ((firstRows.accounts ?? 0) + signUps)),
    } as Record<string, number>,
    ofAccount: {
      account_codes: 2,
      refresh_families: 50,
      refresh_tokens: 20,
      discord_accounts: 1,
      discord_attempts: 1,
      applied_changes: 5000,
      favorites: songs,
      favorite_lists: 1,
      follows: FOLLOWS_MAX + UNFOLLOWED_ARTISTS_MAX,
      follow_lists: 1,
      push_subscriptions: PUSH_SUBSCRIPTIONS_MAX,
      own_playlist_positions: 1,
      own_playlists: OWN_PLAYLISTS_MAX + DELETED_PLAYLISTS_MAX,
      own_playlist_entries: ENTRIES_PER_ACCOUNT_MAX + REMOVED_ENTRIES_MAX,
      own_playlist_reports: daysInLastMonth * 10 * OWN_PLAYLISTS_MAX,
      make_history: 1000,
      maker_presets: 200,
      conversions: CONVERTED_FILE_STORAGE_DAYS * 24 * CONVERSIONS_PER_HOUR,
      promotions: 1,
      websites: 1,
      website_banners: 1,
      website_portraits: 1,
      website_songs: WEBSITE_SONGS_MAX,
      website_names: 4,
      website_clicks: Math.min(days, 61) * clickTargets.length,
    } as Record<string, number>,
    /** The largest number of rows that name no account. */
    ofNobody: { applied_changes: changes, website_names: 4 * deletions } as Record<string, number>,
  }
}

/** Describes each table that has too many rows. A table without a bound is reported as well. */
export function findOversizedTables(tables: ReturnType<typeof readTables>, usage: SiteUsage): string[] {
  const { total, ofAccount, ofNobody } = computeMaxRowCounts(usage)
  return [...tables].flatMap(([tableName, tableRows]) => {
    const rowsMax = total[tableName]
    if (rowsMax !== undefined) return tableRows.length > rowsMax ? [`${tableName} has ${tableRows.length} rows, more than ${rowsMax}`] : []
    const rowsMaxPerAccount = ofAccount[tableName]
    if (rowsMaxPerAccount === undefined) return [`${tableName} has no bound`]
    const countByKey = new Map<string, number>()
    for (const row of tableRows) {
      const owner = String(OWNER_COLUMNS.map((column) => row[column]).find((value) => value !== undefined) ?? '')
      countByKey.set(owner, (countByKey.get(owner) ?? 0) + 1)
    }
    return [...countByKey]
      .filter(([owner, count]) => count > (owner === '' ? (ofNobody[tableName] ?? 0) : rowsMaxPerAccount))
      .map(([owner, count]) => `${tableName} has ${count} rows of ${owner === '' ? 'nobody' : 'an account'}`)
  })
}

/**
 * The tables that visitors make the server fill, and in which rows remain after all accounts were deleted: one row for each song, station
 * or table.
 */
const TABLES_OUTLASTING_ACCOUNTS = ['learned_durations', 'radio_stations', 'sqlite_sequence']

/** Returns the tables that still have rows of visitors, years after all accounts were deleted. There should be none. */
export const findRemainingRows = (tables: ReturnType<typeof readTables>): string[] =>
  [...tables]
    .filter(([table, rows]) => rows.length > 0 && !ADMIN_TABLES.includes(table) && !TABLES_OUTLASTING_ACCOUNTS.includes(table))
    .map(([table, rows]) => `${rows.length} rows of ${table} are left`)
