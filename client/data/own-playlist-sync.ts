import type { OwnPlaylistSyncResult } from '../../contract/own-playlist.ts'
import { ENTRIES_PER_CALL_MAX, OWN_PLAYLIST_CHANGES_MAX } from '../../contract/own-playlist-rules.ts'
import { putSongs } from './catalogue-rows.ts'
import type { SyncedRowKind } from './change-sync.ts'
import type { LocalDatabase, OwnPlaylistRow } from './local-database.ts'
import { joinAnonymousPlaylists } from './own-playlist-join.ts'
import { applyServerStates } from './own-playlist-rows.ts'
import { rowValidators } from './row-shapes.ts'

const areTexts = (...values: unknown[]) => values.every((value) => typeof value === 'string')
const isTimeText = (text: unknown) => typeof text === 'string' && Number.isFinite(Date.parse(text))

/** Returns how many of the oldest changes fit into one request, whose number of entries is limited. */
function countSendableChanges(playlistChanges: readonly { entries?: readonly unknown[] }[]): number {
  let entryCount = 0
  const firstExcessIndex = playlistChanges.findIndex(({ entries = [] }) => {
    entryCount += entries.length
    return entryCount > ENTRIES_PER_CALL_MAX
  })
  return Math.min(OWN_PLAYLIST_CHANGES_MAX, firstExcessIndex < 0 ? playlistChanges.length : Math.max(1, firstExcessIndex))
}

/** The own playlists of an account, as `createChangeSync` synchronizes them. */
export const createSyncedPlaylists = (
  database: LocalDatabase,
  nowMs: () => number = Date.now,
): SyncedRowKind<'POST /list/sync', OwnPlaylistSyncResult> => ({
  call: 'POST /list/sync',
  prepare: (uid) => joinAnonymousPlaylists(database, uid, nowMs()),
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
