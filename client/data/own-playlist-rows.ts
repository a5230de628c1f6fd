import type { OwnPlaylistChange, OwnPlaylistSyncResult } from '../../contract/own-playlist.ts'
import { DELETED_PLAYLIST_RESTORABLE_MS } from '../../contract/own-playlist-rules.ts'
import { createUniqueId } from '../primitives/unique-id.ts'
import { compareEntries } from './entry-positions.ts'
import { ANONYMOUS_UID, type EndpointOutboxRow, type OwnPlaylistCursorRow, type OwnPlaylistRow, type Tables } from './local-database.ts'
import { takeChangeTimes } from './logical-clock.ts'
import { readWaitingChanges } from './waiting-changes.ts'

/** An entry of an own playlist. A song may be in a playlist more than once, so that each entry has an id of its own, `e`. */
export interface OwnPlaylistEntry {
  readonly e: string
  readonly songId: string
  /** The text by which the entries of a playlist are sorted. */
  readonly position: string
}

/** An own playlist with all changes made on this device applied, including those not sent yet. */
export interface OwnPlaylist extends Readonly<Omit<OwnPlaylistRow, 'uid' | 'entryIds' | 'songIds' | 'positions'>> {
  readonly entries: readonly OwnPlaylistEntry[]
  /** Present while this device still fetches the account's entries, so that `entries` may lack some of the playlist. */
  readonly isPartial?: true
}

export type OwnPlaylistChangeRow = EndpointOutboxRow<'POST /list/sync'>

/** A change of an own playlist without the members that are needed only to send it. */
export type OwnPlaylistEdit = Omit<OwnPlaylistChange, 'id' | 'at' | 'device'>

export interface DatedEdit {
  readonly edit: OwnPlaylistEdit
  readonly atMs: number
}

const toDatedEdit = ({ body }: OwnPlaylistChangeRow): DatedEdit => ({ edit: body, atMs: Date.parse(body.at) })

function toOwnPlaylist({ uid: _, entryIds, songIds, positions, ...playlist }: OwnPlaylistRow): OwnPlaylist {
  return { ...playlist, entries: entryIds.map((e, index) => ({ e, songId: songIds[index] ?? '', position: positions[index] ?? '' })) }
}

/** Returns a stored playlist. It is partial until the cursor's account has fetched all entries. */
const toStoredPlaylist = (row: OwnPlaylistRow, cursorRow: OwnPlaylistCursorRow | undefined): OwnPlaylist => ({
  ...toOwnPlaylist(row),
  ...(cursorRow?.more && { isPartial: true }),
})

function toOwnPlaylistRow({ entries, ...playlist }: OwnPlaylist, uid: string): OwnPlaylistRow {
  return {
    ...playlist,
    uid,
    entryIds: entries.map(({ e }) => e),
    songIds: entries.map(({ songId }) => songId),
    positions: entries.map(({ position }) => position),
  }
}

/** The number of ids up to which comparing an id with each of them is faster than looking it up in a set. */
const COMPARED_IDS_MAX = 8

/** Returns a function that tells whether an id is one of `ids`. It compares few ids one by one, because a set computes a hash of each id it is asked for. */
export function createIdTest(ids: readonly string[]): (id: string) => boolean {
  if (ids.length <= COMPARED_IDS_MAX) return (id) => ids.includes(id)
  const idSet = new Set(ids)
  return (id) => idSet.has(id)
}

/**
 * Applies changes of entries, in order. A change of an entry that the playlist lacks adds the entry if the change names a song; otherwise
 * the change is ignored. The unchanged entries are only copied, because a playlist may have thousands.
 */
function applyEntryChanges(
  playlistEntries: readonly OwnPlaylistEntry[],
  entryChanges: readonly { e: string; s?: string; position?: string; removed?: boolean }[],
): readonly OwnPlaylistEntry[] {
  if (entryChanges.length === 0) return playlistEntries
  const isChangedId = createIdTest(entryChanges.map(({ e }) => e))
  const changedEntryById = new Map(playlistEntries.filter(({ e }) => isChangedId(e)).map((entry) => [entry.e, entry]))
  for (const { e, s, position, removed: isRemoved = false } of entryChanges) {
    const storedEntry = changedEntryById.get(e)
    const songId = storedEntry?.songId ?? s
    if (isRemoved) changedEntryById.delete(e)
    else if (songId !== undefined) changedEntryById.set(e, { e, songId, position: position ?? storedEntry?.position ?? '' })
  }
  const insertedEntries = [...changedEntryById.values()].sort(compareEntries)
  const mergedEntries: OwnPlaylistEntry[] = []
  let insertedIndex = 0
  for (const playlistEntry of playlistEntries) {
    if (isChangedId(playlistEntry.e)) continue
    for (
      let nextInsertedEntry = insertedEntries[insertedIndex];
      nextInsertedEntry && compareEntries(nextInsertedEntry, playlistEntry) < 0;
      nextInsertedEntry = insertedEntries[++insertedIndex]
    )
      mergedEntries.push(nextInsertedEntry)
    mergedEntries.push(playlistEntry)
  }
  return [...mergedEntries, ...insertedEntries.slice(insertedIndex)]
}

/** Applies edits of one playlist, oldest first. Returns `undefined` if the playlist does not exist. */
function applyEdits(playlist: OwnPlaylist | undefined, edits: readonly DatedEdit[]): OwnPlaylist | undefined {
  const firstTitleEdit = edits.find(({ edit }) => edit.title !== undefined)
  if (!playlist && !firstTitleEdit) return undefined
  let changedPlaylist = playlist ?? {
    id: firstTitleEdit?.edit.l ?? '',
    title: '',
    description: '',
    addedAtMs: firstTitleEdit?.atMs ?? 0,
    entries: [],
  }
  for (const { edit, atMs } of edits) {
    const {
      title = changedPlaylist.title,
      description = changedPlaylist.description,
      deleted: isDeleted = changedPlaylist.deletedAtMs !== undefined,
    } = edit
    const { deletedAtMs = atMs, ...withoutDeletion } = changedPlaylist
    changedPlaylist = { ...withoutDeletion, title, description, ...(isDeleted && { deletedAtMs }) }
  }
  return {
    ...changedPlaylist,
    entries: applyEntryChanges(
      changedPlaylist.entries,
      edits.flatMap(({ edit }) => edit.entries ?? []),
    ),
  }
}

/** Applies edits of several playlists, oldest first. Playlists without edits stay the same objects. */
export function applyEditsToPlaylists(playlists: readonly OwnPlaylist[], edits: readonly DatedEdit[]): readonly OwnPlaylist[] {
  if (edits.length === 0) return playlists
  const editsByPlaylistId = new Map<string, DatedEdit[]>()
  for (const each of edits) editsByPlaylistId.set(each.edit.l, [...(editsByPlaylistId.get(each.edit.l) ?? []), each])
  const playlistsById = new Map(playlists.map((playlist) => [playlist.id, playlist]))
  for (const [id, ownEdits] of editsByPlaylistId) {
    const playlist = applyEdits(playlistsById.get(id), ownEdits)
    if (playlist) playlistsById.set(id, playlist)
  }
  return [...playlistsById.values()]
}

/**
 * Reads an own playlist of an account, or of the device if nobody is signed in, including waiting changes. A deleted playlist is returned,
 * too.
 */
export async function readOwnPlaylist(tables: Tables, uid: string, playlistId: string): Promise<OwnPlaylist | undefined> {
  const [playlistRow, waitingChanges, cursorRow] = await Promise.all([
    tables.ownPlaylists.get(playlistId),
    readWaitingChanges(tables, uid, 'POST /list/sync'),
    tables.ownPlaylistCursors.get(uid),
  ])
  const edits = waitingChanges.filter(({ body }) => body.l === playlistId).map(toDatedEdit)
  const playlist = applyEdits(playlistRow?.uid === uid ? toStoredPlaylist(playlistRow, cursorRow) : undefined, edits)
  return playlist?.title === '' ? undefined : playlist
}

/** Reads all own playlists of an account, or of the device if nobody is signed in, including waiting changes and deleted playlists. */
export async function readOwnPlaylists(tables: Tables, uid: string): Promise<readonly OwnPlaylist[]> {
  const rows = (await tables.ownPlaylists.all()).filter((row) => row.uid === uid)
  const changes = await readWaitingChanges(tables, uid, 'POST /list/sync')
  const cursorRow = await tables.ownPlaylistCursors.get(uid)
  const playlists = rows.map((row) => toStoredPlaylist(row, cursorRow))
  return applyEditsToPlaylists(playlists, changes.map(toDatedEdit)).filter(({ title }) => title !== '')
}

/**
 * Stores edits of an account as waiting changes in the outbox, each dated later than all earlier changes. With a `mergeId`, they are the changes of a
 * merge. `madeAtMs` are the times at which the edits were made, if that was before `nowMs`.
 */
export async function storeEdits(
  tables: Tables,
  uid: string,
  edits: readonly OwnPlaylistEdit[],
  nowMs: number,
  {
    createChangeId = createUniqueId,
    mergeId,
    madeAtMs,
  }: { createChangeId?: (edit: OwnPlaylistEdit) => string; mergeId?: string | undefined; madeAtMs?: readonly number[] } = {},
): Promise<void> {
  if (edits.length === 0) return
  const { deviceId: device, timeTexts: changeTimeTexts } = await takeChangeTimes(tables, uid, edits.length, nowMs, madeAtMs)
  const changeRows = edits.map((playlistEdit, index): OwnPlaylistChangeRow => {
    const id = createChangeId(playlistEdit)
    const body = { id, at: changeTimeTexts[index] ?? '', device, ...playlistEdit }
    const rowFields = { id, uid, body, createdAtMs: nowMs, attempts: 0, lastError: '', ...(mergeId !== undefined && { mergeId }) }
    return { ...rowFields, call: 'POST /list/sync', state: 'waiting' }
  })
  await tables.outbox.put(changeRows)
}

/** Applies edits to the rows of the playlists that no account owns, and removes those that can no longer be restored. */
export async function storeAnonymousEdits(tables: Tables, edits: readonly OwnPlaylistEdit[], nowMs: number): Promise<void> {
  if (edits.length === 0) return
  const anonymousRows = (await tables.ownPlaylists.all()).filter(({ uid }) => uid === ANONYMOUS_UID)
  const isExpiredPlaylist = ({ deletedAtMs = nowMs }: OwnPlaylistRow) => deletedAtMs < nowMs - DELETED_PLAYLIST_RESTORABLE_MS
  const changedPlaylistIds = new Set(edits.map(({ l }) => l))
  const playlists = applyEditsToPlaylists(
    anonymousRows.filter(({ id }) => changedPlaylistIds.has(id)).map(toOwnPlaylist),
    edits.map((edit) => ({ edit, atMs: nowMs })),
  )
  await tables.ownPlaylists.remove(anonymousRows.filter(isExpiredPlaylist).map(({ id }) => id))
  await tables.ownPlaylists.put(playlists.map((playlist) => toOwnPlaylistRow(playlist, ANONYMOUS_UID)))
  await tables.ownPlaylistCursors.put([{ uid: ANONYMOUS_UID, cursor: '' }])
}

type SyncedPlaylistStates = Pick<OwnPlaylistSyncResult, 'playlists' | 'entries'>

/** Returns the account's rows that a sync response changes, in their state after the response. `rowById` are the account's rows by id. */
export function applyServerStates(
  rowById: ReadonlyMap<string, OwnPlaylistRow>,
  uid: string,
  { playlists: playlistStates, entries: entryStates }: SyncedPlaylistStates,
  nowMs: number,
): OwnPlaylistRow[] {
  const changedPlaylistById = new Map<string, OwnPlaylist>()
  const createPlaylist = (playlistId: string): OwnPlaylist => {
    const playlistRow = rowById.get(playlistId)
    return (
      changedPlaylistById.get(playlistId) ??
      (playlistRow ? toOwnPlaylist(playlistRow) : { id: playlistId, title: '', description: '', addedAtMs: 0, entries: [] })
    )
  }
  for (const { l, title, description, deleted: isDeleted, deleted_at, at, share, hidden } of playlistStates) {
    const { entries } = createPlaylist(l)
    changedPlaylistById.set(l, {
      id: l,
      title,
      description,
      addedAtMs: Date.parse(at),
      ...(isDeleted && { deletedAtMs: deleted_at === undefined ? nowMs : Date.parse(deleted_at) }),
      ...(share && { share }),
      ...(hidden !== undefined && { hidden }),
      entries,
    })
  }
  const entryStatesByPlaylistId = new Map<string, SyncedPlaylistStates['entries']>()
  for (const entryState of entryStates) {
    const ownStates = entryStatesByPlaylistId.get(entryState.l)
    if (ownStates) ownStates.push(entryState)
    else entryStatesByPlaylistId.set(entryState.l, [entryState])
  }
  for (const [l, ownStates] of entryStatesByPlaylistId) {
    const playlist = createPlaylist(l)
    changedPlaylistById.set(l, { ...playlist, entries: applyEntryChanges(playlist.entries, ownStates) })
  }
  return [...changedPlaylistById.values()].map((playlist) => toOwnPlaylistRow(playlist, uid))
}
