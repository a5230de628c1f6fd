import { randomBytes } from 'node:crypto'
import { DAY_MS } from '../durations.ts'
import { type Database, type Queries, serialiseTransactions } from '../storage/database.ts'
import { ENDED_SHARING, lockPosition, type OwnPlaylistRow, sharingRestorableSince } from './store-rows.ts'

/** Maximum number of reports of a client, and of a playlist, that are stored per UTC day. */
const CLIENT_REPORTS_MAX_PER_DAY = 20
const PLAYLIST_REPORTS_MAX_PER_DAY = 10
/** The time after which reports are deleted. */
const REPORT_RETENTION_MS = 31 * DAY_MS

/** A shared playlist as its visitors may see it. */
export interface SharedPlaylistRow {
  uid: string
  playlistId: string
  title: string
  description: string
  isIndexed: boolean
}

/** Result of sharing a playlist: its token, empty if it is private. A playlist that an admin has hidden cannot be changed. */
export type ShareOutcome = { token: string } | 'no-playlist' | 'hidden'

export async function deleteOldOwnPlaylistReports(queries: Queries, nowMs: number): Promise<void> {
  await queries
    .deleteFrom('own_playlist_reports')
    .where('reported_at', '<', nowMs - REPORT_RETENTION_MS)
    .execute()
}

/** Deletes the tokens of deleted playlists whose sharing cannot be restored. Devices do not get these tokens, so the rows keep their version. */
export async function endSharingOfDeletedPlaylists(queries: Queries, nowMs: number): Promise<void> {
  await queries
    .updateTable('own_playlists')
    .set(ENDED_SHARING)
    .where('deleted_at', '<', sharingRestorableSince(nowMs))
    .where('hidden', '=', '')
    .where('share_token', 'is not', null)
    .execute()
}

/** Changes columns of a playlist that devices cannot change, and gives the row a new version, so that devices receive it. */
export async function updatePlaylistRow(
  queries: Queries,
  { uid, id }: Pick<OwnPlaylistRow, 'uid' | 'id'>,
  columnValues: Partial<Pick<OwnPlaylistRow, 'share_token' | 'indexed' | 'hidden'>>,
): Promise<void> {
  const newVersion = (await lockPosition(queries, uid)).version + 1
  await queries
    .updateTable('own_playlists')
    .set({ ...columnValues, version: newVersion })
    .where('uid', '=', uid)
    .where('id', '=', id)
    .execute()
  await queries.updateTable('own_playlist_positions').set({ version: newVersion }).where('uid', '=', uid).execute()
}

/**
 * Creates the store of the public pages of own playlists. A page is found by an unguessable token, which is valid until the sharing ends.
 */
export function createOwnPlaylistSharing({ queries: readQueries, write }: Pick<Database, 'queries' | 'write'>) {
  const selectByToken = (queries: Queries, token: string) => queries.selectFrom('own_playlists').where('share_token', '=', token)

  return {
    /** Makes a playlist public or private. */
    share: (uid: string, playlistId: string, isShared: boolean, isIndexed: boolean | undefined): Promise<ShareOutcome> =>
      write(async (queries) => {
        await lockPosition(queries, uid)
        const playlistRow = await queries
          .selectFrom('own_playlists')
          .selectAll()
          .where('uid', '=', uid)
          .where('id', '=', playlistId)
          .where('deleted', '=', 0)
          .executeTakeFirst()
        if (playlistRow === undefined) return 'no-playlist'
        if (playlistRow.hidden !== '') return 'hidden'
        const shareToken = isShared ? (playlistRow.share_token ?? randomBytes(16).toString('base64url')) : null
        const indexed = isShared ? Number(isIndexed ?? playlistRow.indexed === 1) : 0
        if (shareToken !== playlistRow.share_token || indexed !== playlistRow.indexed)
          await updatePlaylistRow(queries, playlistRow, { share_token: shareToken, indexed })
        return { token: shareToken ?? '' }
      }),

    /** Finds a playlist by its token. Returns undefined if it is private, hidden or deleted. */
    findShared: async (shareToken: string): Promise<SharedPlaylistRow | undefined> => {
      const playlistRow = await selectByToken(readQueries, shareToken)
        .selectAll()
        .where('deleted', '=', 0)
        .where('hidden', '=', '')
        .executeTakeFirst()
      return (
        playlistRow && {
          uid: playlistRow.uid,
          playlistId: playlistRow.id,
          title: playlistRow.title,
          description: playlistRow.description,
          isIndexed: playlistRow.indexed === 1,
        }
      )
    },

    /** Stores a report, within the limits of a day. Returns false if there is no such public page. */
    report: async (
      shareToken: string,
      { clientId, reason, atMs }: { clientId: string; reason: string; atMs: number },
    ): Promise<boolean> => {
      const sharedRow = await selectByToken(readQueries, shareToken).select(['uid', 'id']).where('deleted', '=', 0).executeTakeFirst()
      if (sharedRow === undefined) return false
      await write(async (queries) => {
        await serialiseTransactions(queries)
        const reportsOfDay = queries.selectFrom('own_playlist_reports').where('reported_at', '>=', atMs - (atMs % DAY_MS))
        const ownReports = await reportsOfDay.select(['uid', 'playlist_id']).where('client_id', '=', clientId).execute()
        const reportsOfPlaylist = await reportsOfDay
          .select('client_id')
          .where('uid', '=', sharedRow.uid)
          .where('playlist_id', '=', sharedRow.id)
          .execute()
        const isReportRepeated = reportsOfPlaylist.some((row) => row.client_id === clientId)
        if (
          !isReportRepeated &&
          (ownReports.length >= CLIENT_REPORTS_MAX_PER_DAY || reportsOfPlaylist.length >= PLAYLIST_REPORTS_MAX_PER_DAY)
        )
          return
        await queries
          .insertInto('own_playlist_reports')
          .values({ uid: sharedRow.uid, playlist_id: sharedRow.id, client_id: clientId, reason, reported_at: atMs })
          .onConflict((conflict) => conflict.columns(['uid', 'playlist_id', 'client_id']).doUpdateSet({ reason, reported_at: atMs }))
          .execute()
      })
      return true
    },
  }
}
