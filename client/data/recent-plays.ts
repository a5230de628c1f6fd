import type { RecentPlayRow, Tables } from './local-database.ts'

/** Reads the songs that were played on this device, most recent first. */
export async function readRecentPlays(tables: Tables): Promise<RecentPlayRow[]> {
  return (await tables.recentPlays.all()).sort((a, b) => b.playedAtMs - a.playedAtMs)
}
