import type { OwnPlaylistSyncResult } from '../../contract/own-playlist.ts'
import { ENTRIES_PER_CALL_MAX, OWN_PLAYLIST_CHANGES_MAX } from '../../contract/own-playlist-rules.ts'
import { putSongs } from './catalogue-rows.ts'
import type { SyncedRowKind } from './change-sync.ts'
import type { LocalDatabase, OwnPlaylistRow, Tables } from './local-database.ts'
import { joinAnonymousPlaylists } from './own-playlist-join.ts'
import { applyServerStates, type OwnPlaylistChangeRow } from './own-playlist-rows.ts'
import { rowValidators } from './row-shapes.ts'

const areTexts = (...values: unknown[]) => values.every((value) => typeof value === 'string')
const isTimeText = (text: unknown) => typeof text === 'string' && Number.isFinite(Date.parse(text))

/**
 * Returns how many of the oldest changes are sent in one request, whose number of entries is limited. The deletions of a merge are not sent together with
 * its added songs, because the server would apply them also if it refused the songs.
 */
function countSendableChanges(rows: readonly OwnPlaylistChangeRow[]): number {
  let entryCount = 0
  const addingMergeIds = new Set<string>()
  const firstExcessIndex = rows.findIndex(({ body: { entries = [], deleted: isDeletion }, mergeId }) => {
    entryCount += entries.length
    if (mergeId !== undefined && !isDeletion) addingMergeIds.add(mergeId)
    return entryCount > ENTRIES_PER_CALL_MAX || (isDeletion && mergeId !== undefined && addingMergeIds.has(mergeId))
  })
  return Math.min(OWN_PLAYLIST_CHANGES_MAX, firstExcessIndex < 0 ? rows.length : Math.max(1, firstExcessIndex))
}

/** Marks the waiting deletions of a merge as refused if the server has refused songs that the merge adds, because the songs are in no other playlist. */
async function refuseDeletionsOfRefusedMerges(database: LocalDatabase, uid: string): Promise<void> {
  const findRefusedDeletions = async (tables: Tables): Promise<OwnPlaylistChangeRow[]> => {
    const rows = (await tables.outbox.all()).filter(
      (row): row is OwnPlaylistChangeRow => row.call === 'POST /list/sync' && row.uid === uid && row.mergeId !== undefined,
    )
    const errorByMergeId = new Map(
      rows.filter(({ state, body }) => state === 'failed' && !body.deleted).map(({ mergeId, lastError }) => [mergeId, lastError]),
    )
    return rows
      .filter(({ state, body, mergeId }) => state === 'waiting' && body.deleted && errorByMergeId.has(mergeId))
      .map((row) => ({ ...row, state: 'failed', lastError: errorByMergeId.get(row.mergeId) ?? '' }))
  }
  if ((await database.read(findRefusedDeletions)).length === 0) return
  await database.change(async (tables) => tables.outbox.put(await findRefusedDeletions(tables)))
}

/** The own playlists of an account, as `createChangeSync` synchronizes them. */
export const createSyncedPlaylists = (
  database: LocalDatabase,
  nowMs: () => number = Date.now,
): SyncedRowKind<'POST /list/sync', OwnPlaylistSyncResult> => ({
  call: 'POST /list/sync',
  async prepare(uid) {
    await joinAnonymousPlaylists(database, uid, nowMs())
    await refuseDeletionsOfRefusedMerges(database, uid)
  },
  countSendable: countSendableChanges,
  request: (api, since, changes) => api.call('POST /list/sync', { ...(since !== undefined && { since }), changes }),
  isResponse: ({ playlists, entries, songs, latest }) =>
    Array.isArray(playlists) &&
    playlists.every(
      ({ l, title, description, at, deleted_at = at }) => areTexts(l, title, description) && isTimeText(at) && isTimeText(deleted_at),
    ) &&
    Array.isArray(entries) &&
    entries.every(({ l, e, s, position }) => areTexts(l, e, s, position)) &&
    Array.isArray(songs) &&
    songs.every(rowValidators.songs) &&
    (latest === undefined || isTimeText(latest)),
  readCursor: (tables, uid) => tables.ownPlaylistCursors.get(uid),
  isEmpty: ({ playlists, entries }) => playlists.length === 0 && entries.length === 0,
  async store(tables, uid, response) {
    const { cursor, more: hasMore, whole: hasAllPlaylists } = response
    await putSongs(tables, response.songs)
    const playlistIds = [...new Set([...response.playlists, ...response.entries].map(({ l }) => l))]
    const storedRows = hasAllPlaylists
      ? []
      : (await tables.ownPlaylists.getMany(playlistIds)).filter((row): row is OwnPlaylistRow => row?.uid === uid)
    if (hasAllPlaylists) {
      const ownRows = (await tables.ownPlaylists.all()).filter((row) => row.uid === uid)
      await tables.ownPlaylists.remove(ownRows.map(({ id }) => id))
    }
    await tables.ownPlaylists.put(applyServerStates(new Map(storedRows.map((row) => [row.id, row])), uid, response, nowMs()))
    await tables.ownPlaylistCursors.put([{ uid, cursor, ...(hasMore && { more: hasMore }) }])
  },
  latestMs: ({ latest }) => (latest === undefined ? 0 : Date.parse(latest)),
})
