import { ENTRIES_PER_CHANGE_MAX } from '../../contract/own-playlist-rules.ts'
import { deriveId } from '../primitives/unique-id.ts'
import { ANONYMOUS_UID, type LocalDatabase, type OwnPlaylistRow } from './local-database.ts'
import { type OwnPlaylistEdit, storeEdits } from './own-playlist-rows.ts'

/** Returns the edits that create, for an account, a playlist that was made without an account. */
function toEdits({ id, title, description, deletedAtMs, entryIds, songIds, positions }: OwnPlaylistRow): OwnPlaylistEdit[] {
  const playlistEntries = entryIds.map((e, index) => ({ e, s: songIds[index] ?? '', position: positions[index] ?? '' }))
  const playlistEdits: OwnPlaylistEdit[] = [{ l: id, title, description, entries: playlistEntries.slice(0, ENTRIES_PER_CHANGE_MAX) }]
  for (let at = ENTRIES_PER_CHANGE_MAX; at < playlistEntries.length; at += ENTRIES_PER_CHANGE_MAX)
    playlistEdits.push({ l: id, entries: playlistEntries.slice(at, at + ENTRIES_PER_CHANGE_MAX) })
  return deletedAtMs === undefined ? playlistEdits : [...playlistEdits, { l: id, deleted: true }]
}

/**
 * Moves the playlists that were made while nobody was signed in to the account `uid`, as waiting changes, in one transaction. The ids of
 * the changes are derived from the changes, so that the server applies them once even if this function runs twice, for example because the
 * browser lost the first transaction.
 */
export async function joinAnonymousPlaylists(database: LocalDatabase, uid: string, nowMs: number): Promise<void> {
  if (!(await database.read((tables) => tables.ownPlaylistCursors.get(ANONYMOUS_UID)))) return
  await database.change(async (tables) => {
    const anonymousRows = (await tables.ownPlaylists.all()).filter((row) => row.uid === ANONYMOUS_UID)
    await storeEdits(tables, uid, anonymousRows.flatMap(toEdits), nowMs, {
      createChangeId: (edit) => deriveId(`${uid} ${JSON.stringify(edit)}`),
    })
    await tables.ownPlaylists.remove(anonymousRows.map(({ id }) => id))
    await tables.ownPlaylistCursors.remove([ANONYMOUS_UID])
  })
}
