import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../storage/database.ts'
import type { AdminAction } from './store-actions.ts'

/** A report of a visitor or account. `target` is what the report is about, as in the recorded actions. */
export interface Report {
  target: string
  /** The title of a playlist; empty for other targets. */
  title: string
  reason: string
  /** ISO 8601 UTC. */
  reported: string
  /** The latest action of an admin on the target after the report; missing if there was none. */
  done?: AdminAction
}

type NewReport = Omit<Report, 'done' | 'reported'> & { atMs: number }

/** The text of a report of a song, as the page sends it. A message with another text is a target itself. */
const SONG_REPORT = /^Song: ([A-Za-z0-9_-]{11})\nReason: (.*)$/s

/** Returns the report that a message of the topic 'song-report' makes. */
function toSongReport({ id, message, created }: { id: number; message: string | null; created: number }): NewReport {
  const [, songId, reason = ''] = SONG_REPORT.exec(message ?? '') ?? []
  const target = songId === undefined ? `message ${id}` : `song ${songId}`
  return { target, title: '', reason: songId === undefined ? (message ?? '') : reason, atMs: created }
}

/** SQL of the targets of reports: a shared playlist; or a message itself, or the song whose id follows `Song: ` in the message. */
const listTarget = sql<string>`'list ' || p.share_token`
const messageTargets = sql<string>`'message ' || c.id, 'song ' || substr(c.message, 7, 11)`

/** The reports of shared playlists and of songs. A report is done once an admin has acted on its target. */
export function createReportQueue({ queries }: Database) {
  /** Selects the actions since `reported` on one of the targets, which are SQL expressions. */
  const selectActions = (reported: RawBuilder<number>, targets: RawBuilder<string>) =>
    queries.selectFrom('admin_actions as a').select('a.id').where('a.at', '>=', reported).where(sql<boolean>`a.target in (${targets})`)

  return {
    /**
     * Lists the newest `reportLimit` reports, newest first, each with the latest action on its target since. With `isOpen`, lists only
     * reports without such an action; with `target`, lists only reports about this target.
     */
    listReports: async (reportLimit: number, { isOpen = false, target }: { isOpen?: boolean; target?: string } = {}): Promise<Report[]> => {
      const playlistReports = await queries
        .selectFrom('own_playlist_reports as r')
        .innerJoin('own_playlists as p', (join) => join.onRef('p.uid', '=', 'r.uid').onRef('p.id', '=', 'r.playlist_id'))
        .select(['p.share_token', 'p.title', 'r.reason', 'r.reported_at'])
        .where('p.share_token', 'is not', null)
        .$if(target !== undefined, (query) => query.where(listTarget, '=', target ?? ''))
        .$if(isOpen, (query) => query.where(({ not, exists }) => not(exists(selectActions(sql`r.reported_at`, listTarget)))))
        .orderBy('r.reported_at', 'desc')
        .limit(reportLimit)
        .execute()
      const songReports = await queries
        .selectFrom('contacts as c')
        .select(['id', 'message', 'created'])
        .where('topic', '=', 'song-report')
        .$if(target !== undefined, (query) => query.where(sql<boolean>`${target ?? ''} in (${messageTargets})`))
        .$if(isOpen, (query) => query.where(({ not, exists }) => not(exists(selectActions(sql`c.created`, messageTargets)))))
        .orderBy('created', 'desc')
        .limit(reportLimit)
        .execute()
      const newReports: NewReport[] = [
        ...playlistReports.map((reportRow) => ({
          target: `list ${reportRow.share_token}`,
          title: reportRow.title,
          reason: reportRow.reason,
          atMs: reportRow.reported_at,
        })),
        ...songReports.map(toSongReport),
      ]
      const newestReports = newReports
        .filter((report) => target === undefined || report.target === target)
        .toSorted((a, b) => b.atMs - a.atMs)
        .slice(0, reportLimit)
      return Promise.all(
        newestReports.map(async ({ atMs, ...newestReport }) => {
          const laterAction = await queries
            .selectFrom('admin_actions')
            .selectAll()
            .where('target', '=', newestReport.target)
            .where('at', '>=', atMs)
            .orderBy('at', 'desc')
            .limit(1)
            .executeTakeFirst()
          const { id: _id, ...closingAction } = laterAction ?? { id: '' }
          return {
            ...newestReport,
            reported: new Date(atMs).toISOString(),
            ...('at' in closingAction && { done: { ...closingAction, at: new Date(closingAction.at).toISOString() } }),
          }
        }),
      )
    },
  }
}
