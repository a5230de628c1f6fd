import { isOwnPlaylistContext } from '../../contract/playlist-rules.ts'
import { readLivePlaylist, toOwnPlaylistId } from './device-contexts.ts'
import { ANONYMOUS_UID, type LocalDatabase, type PinnedPlaylistRow, type Tables } from './local-database.ts'
import { type OwnPlaylist, readOwnPlaylist } from './own-playlist-rows.ts'

/** The time after its deletion for which a playlist stays pinned, because this or another tab may still offer Undo. */
const DELETED_PINNED_MS = 600_000

/** Reads the context ids of the own playlists that are pinned. */
export const readOwnPinnedIds = async (tables: Tables): Promise<string[]> => (await tables.pinned.keys()).filter(isOwnPlaylistContext)

/**
 * Reads the context ids of the pinned playlists that were deleted at least `DELETED_PINNED_MS` ago, or that the account `uid` does not have. Returns
 * none while the account's playlists are not all on this device.
 */
export async function readMissingPinnedIds(tables: Tables, uid: string): Promise<string[]> {
  const syncCursor = await tables.ownPlaylistCursors.get(uid)
  if (uid !== ANONYMOUS_UID && (syncCursor === undefined || syncCursor.more)) return []
  const missingIds: string[] = []
  for (const id of await readOwnPinnedIds(tables)) {
    const playlist = await readOwnPlaylist(tables, uid, toOwnPlaylistId(id))
    if (!playlist || wasDeletedEarlier(playlist)) missingIds.push(id)
  }
  return missingIds
}

/**
 * Reads the row of a pinned playlist; `undefined` if it is not pinned. Also `undefined` for an own playlist that is deleted or not on this device: its
 * download continues when it is restored or received.
 */
export async function readUpdatablePin(tables: Tables, uid: string, id: string): Promise<PinnedPlaylistRow | undefined> {
  if (isOwnPlaylistContext(id) && !(await readLivePlaylist(tables, uid, id))) return undefined
  return tables.pinned.get(id)
}

/** Compares the absolute value, because the time since the deletion is negative if the device's clock was set back. */
const wasDeletedEarlier = ({ deletedAtMs }: OwnPlaylist) =>
  deletedAtMs !== undefined && Math.abs(Date.now() - deletedAtMs) >= DELETED_PINNED_MS

/** Calls `onChange` with the context id and the title of each pinned own playlist, now and whenever its title or its songs have changed. */
export function watchPinnedOwnPlaylists(
  database: LocalDatabase,
  getOwner: () => string,
  onChange: (id: string, title: string) => void,
): void {
  let contentById = new Map<string, string>()
  database.watch(
    async (tables) => {
      const playlists: { id: string; title: string; content: string }[] = []
      for (const id of await readOwnPinnedIds(tables)) {
        const playlist = await readLivePlaylist(tables, getOwner(), id)
        if (!playlist) continue
        const { title, entries } = playlist
        playlists.push({ id, title, content: JSON.stringify([title, entries.map(({ songId }) => songId)]) })
      }
      return playlists
    },
    {
      next(playlists) {
        const changedPlaylists = playlists.filter(({ id, content }) => contentById.get(id) !== content)
        contentById = new Map(playlists.map(({ id, content }) => [id, content]))
        for (const { id, title } of changedPlaylists) onChange(id, title)
      },
      error() {
        // If the playlists cannot be read, the next start brings them up to date.
      },
    },
  )
}
