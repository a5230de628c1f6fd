import { ENTRIES_PER_CHANGE_MAX } from '../../contract/own-playlist-rules.ts'
import { deriveId } from '../primitives/unique-id.ts'
import { ANONYMOUS_UID, type LocalDatabase, type OwnPlaylistRow } from './local-database.ts'
import { type DatedEdit, type OwnPlaylistEdit, storeEdits } from './own-playlist-rows.ts'

/** Returns the edits that create, for an account, a playlist that was made without an account, with the times at which they were made. */
function toDatedEdits({ id, title, description, addedAtMs, deletedAtMs, entryIds, songIds, positions }: OwnPlaylistRow): DatedEdit[] {
  const playlistEntries = entryIds.map((e, index) => ({ e, s: songIds[index] ?? '', position: positions[index] ?? '' }))
  const playlistEdits: OwnPlaylistEdit[] = [{ l: id, title, description, entries: playlistEntries.slice(0, ENTRIES_PER_CHANGE_MAX) }]
  for (let at = ENTRIES_PER_CHANGE_MAX; at < playlistEntries.length; at += ENTRIES_PER_CHANGE_MAX)
    playlistEdits.push({ l: id, entries: playlistEntries.slice(at, at + ENTRIES_PER_CHANGE_MAX) })
  const datedEdits = playlistEdits.map((edit) => ({ edit, atMs: addedAtMs }))
  return deletedAtMs === undefined ? datedEdits : [...datedEdits, { edit: { l: id, deleted: true }, atMs: deletedAtMs }]
}

/** Returns the time of the last edit of `toDatedEdits`. */
const readLastEditMs = ({ addedAtMs, deletedAtMs = addedAtMs }: OwnPlaylistRow): number => deletedAtMs

/**
 * Moves the playlists that were made while nobody was signed in to the account `uid`, as waiting changes, in one transaction. The playlists keep their times,
 * unless the account has changed later, and their order: a playlist that the page shows above another is dated after it. The ids of the changes are
 * derived from the changes, so that the server applies them once even if this function runs twice, for example because the browser lost the first
 * transaction.
 */
export async function joinAnonymousPlaylists(database: LocalDatabase, uid: string, nowMs: number): Promise<void> {
  if (!(await database.read((tables) => tables.ownPlaylistCursors.get(ANONYMOUS_UID)))) return
  await database.change(async (tables) => {
    const anonymousRows = (await tables.ownPlaylists.all()).filter((row) => row.uid === ANONYMOUS_UID)
    // Of playlists with the same time, the page shows the first row above the others.
    const rowsByTime = anonymousRows.toReversed().sort((a, b) => readLastEditMs(a) - readLastEditMs(b))
    const datedEdits = rowsByTime.flatMap(toDatedEdits)
    await storeEdits(
      tables,
      uid,
      datedEdits.map(({ edit }) => edit),
      nowMs,
      {
        createChangeId: (edit) => deriveId(`${uid} ${JSON.stringify(edit)}`),
        madeAtMs: datedEdits.map(({ atMs }) => Math.min(atMs, nowMs)),
      },
    )
    await tables.ownPlaylists.remove(anonymousRows.map(({ id }) => id))
    await tables.ownPlaylistCursors.remove([ANONYMOUS_UID])
  })
}
