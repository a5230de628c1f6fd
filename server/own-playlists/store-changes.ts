import { sql } from 'kysely'
import type { OwnPlaylistChange, OwnPlaylistEntryChange, OwnPlaylistSyncResult } from '../../contract/own-playlist.ts'
import {
  cleanPlaylistDescription,
  cleanPlaylistTitle,
  DELETED_PLAYLIST_RESTORABLE_MS,
  ENTRIES_PER_ACCOUNT_MAX,
  ENTRIES_PER_PLAYLIST_MAX,
  OWN_PLAYLISTS_MAX,
  ownPlaylistMessages,
} from '../../contract/own-playlist-rules.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { deleteExcessChangeIds, readAppliedIds, storeNewChangeIds } from '../storage/applied-changes.ts'
import type { Dialect, Queries } from '../storage/database.ts'
import { limitToServerTime, mergeChange, parseChangeTime } from '../storage/merge.ts'
import { createEpoch, splitIntoBatches } from '../storage/sync.ts'
import {
  createStamp,
  ENDED_SHARING,
  isSharingOver,
  lockPosition,
  type OwnPlaylistEntryRow,
  type OwnPlaylistRow,
  readRegister,
} from './store-rows.ts'

/**
 * Maximum number of deleted playlists, and of removed entries, that are stored of an account. Above it, the older half is deleted. It is ten times the
 * playlists that an account can have, so that whoever deletes all of them can restore them for 30 days.
 */
export const DELETED_PLAYLISTS_MAX = 10 * OWN_PLAYLISTS_MAX
export const REMOVED_ENTRIES_MAX = 50_000

/** A change whose ids are in lower case, and whose times are epoch milliseconds. */
interface NormalizedChange extends Pick<OwnPlaylistChange, 'title' | 'description' | 'deleted'> {
  id: string
  playlistId: string
  deviceId: string
  atMs: number
  entries: readonly (Omit<OwnPlaylistEntryChange, 'e' | 's'> & { id: string; songId: string | undefined; addsSong: boolean })[]
}

export const normalizeChange = (change: OwnPlaylistChange, nowMs: number): NormalizedChange => ({
  id: change.id.toLowerCase(),
  playlistId: change.l.toLowerCase(),
  deviceId: change.device.toLowerCase(),
  atMs: parseChangeTime(change.at, nowMs),
  ...(change.title !== undefined && { title: cleanPlaylistTitle(change.title) }),
  ...(change.description !== undefined && { description: cleanPlaylistDescription(change.description) }),
  ...(change.deleted !== undefined && { deleted: change.deleted }),
  entries: (change.entries ?? []).map(({ e, s, ...entryFields }) => ({
    ...entryFields,
    id: e.toLowerCase(),
    songId: s === undefined ? undefined : parseVideoId(s),
    addsSong: s !== undefined,
  })),
})

/** The rows that the changes of a call concern, as changed so far, and the numbers that limit them. */
interface ChangeDraft {
  uid: string
  nowMs: number
  knownSongIds: ReadonlySet<string>
  playlists: Map<string, OwnPlaylistRow>
  /** The stored entries that the changes concern, by `createEntryKey`. */
  entries: Map<string, OwnPlaylistEntryRow>
  /** Counts the playlists that are not deleted. */
  countPlaylists: () => Promise<number>
  /** Counts the entries that are not removed: of a playlist, or of all. */
  countEntries: (playlistId?: string) => Promise<number>
  version: number
  latestChangeMs: number
}

const createEntryKey = (row: { playlist_id: string; id: string }) => `${row.playlist_id} ${row.id}`

/** Merges a value of a change into a column. Returns the column's value and its stamp (`createStamp`) after the merge. */
function mergeColumn<T>(
  newValue: T | undefined,
  storedColumn: { value: T; stamp: string },
  { atMs, deviceId }: NormalizedChange,
  nowMs: number,
) {
  const mergedValue =
    newValue === undefined
      ? undefined
      : mergeChange({ value: newValue, atMs, deviceId }, readRegister(storedColumn.value, storedColumn.stamp), nowMs)
  return mergedValue === undefined ? storedColumn : { value: mergedValue.value, stamp: createStamp(mergedValue) }
}

/** Returns a playlist's row after a change. The sharing of a playlist that was deleted too long ago has ended (`isSharingOver`). `version` stays as it is. */
function mergePlaylist(row: OwnPlaylistRow, change: NormalizedChange, nowMs: number): OwnPlaylistRow {
  const mergedTitle = mergeColumn(change.title, { value: row.title, stamp: row.title_stamp }, change, nowMs)
  const mergedDescription = mergeColumn(change.description, { value: row.description, stamp: row.description_stamp }, change, nowMs)
  const deletedColumns = mergeColumn(change.deleted, { value: row.deleted === 1, stamp: row.deleted_stamp }, change, nowMs)
  return {
    ...row,
    title: mergedTitle.value,
    title_stamp: mergedTitle.stamp,
    description: mergedDescription.value,
    description_stamp: mergedDescription.stamp,
    deleted: Number(deletedColumns.value),
    deleted_stamp: deletedColumns.stamp,
    deleted_at: deletedColumns.value ? (row.deleted_at ?? nowMs) : null,
    ...(isSharingOver(row, nowMs) && ENDED_SHARING),
  }
}

/** Returns an entry's row after a change; undefined for a change of an entry that is not stored. `version` stays as it is. */
function mergeEntry(
  draft: ChangeDraft,
  row: OwnPlaylistEntryRow | undefined,
  change: NormalizedChange,
  { id, songId, position, removed }: NormalizedChange['entries'][number],
): OwnPlaylistEntryRow | undefined {
  if (row === undefined) {
    // An entry that is added and removed by the same change is not stored.
    if (songId === undefined || position === undefined || removed === true) return undefined
    const addedAtMs = limitToServerTime(change.atMs, draft.nowMs)
    const stamp = createStamp({ changedAtMs: addedAtMs, deviceId: change.deviceId, claimedAtMs: change.atMs })
    const place = { uid: draft.uid, playlist_id: change.playlistId, id, song_id: songId }
    return { ...place, position, position_stamp: stamp, removed: 0, removed_stamp: stamp, added: addedAtMs, version: 0 }
  }
  const positionRegister = mergeColumn(position, { value: row.position, stamp: row.position_stamp }, change, draft.nowMs)
  const removedColumns = mergeColumn(removed, { value: row.removed === 1, stamp: row.removed_stamp }, change, draft.nowMs)
  return {
    ...row,
    position: positionRegister.value,
    position_stamp: positionRegister.stamp,
    removed: Number(removedColumns.value),
    removed_stamp: removedColumns.stamp,
  }
}

/**
 * Returns the entries that a change changes, by `createEntryKey`, or the message with which the change is refused. Songs that the catalogue lacks are left
 * out, for example because an admin has hidden them since the device stored them, so that the rest of a long playlist is kept. A change that would
 * only add such songs is refused.
 */
function mergeEntries(draft: ChangeDraft, change: NormalizedChange): Map<string, OwnPlaylistEntryRow> | string {
  const changedRowByKey = new Map<string, OwnPlaylistEntryRow>()
  const { entries, title, description, deleted } = change
  let unknownSongCount = 0
  for (const entryChange of entries) {
    const rowKey = createEntryKey({ playlist_id: change.playlistId, id: entryChange.id })
    const entryRow = changedRowByKey.get(rowKey) ?? draft.entries.get(rowKey)
    if (entryRow === undefined && entryChange.addsSong) {
      if (entryChange.songId === undefined) return ownPlaylistMessages.noSong
      if (!draft.knownSongIds.has(entryChange.songId)) {
        unknownSongCount++
        continue
      }
    }
    const merged = mergeEntry(draft, entryRow, change, entryChange)
    if (merged !== undefined) changedRowByKey.set(rowKey, merged)
  }
  const changesPlaylist = title !== undefined || description !== undefined || deleted !== undefined
  return unknownSongCount > 0 && unknownSongCount === entries.length && !changesPlaylist ? ownPlaylistMessages.noSong : changedRowByKey
}

const isLiveEntry = (row: { removed: number } | undefined) => row?.removed === 0

/** Checks the limits that a change would exceed. Returns the message with which it is refused, or undefined. */
async function findExceededLimit(
  draft: ChangeDraft,
  rowBefore: OwnPlaylistRow | undefined,
  rowAfter: OwnPlaylistRow,
  changedEntries: ReadonlyMap<string, OwnPlaylistEntryRow>,
): Promise<string | undefined> {
  const isPlaylistRevived = rowAfter.deleted === 0 && rowBefore?.deleted !== 0
  if (isPlaylistRevived && rowBefore?.deleted_at != null && rowBefore.deleted_at < draft.nowMs - DELETED_PLAYLIST_RESTORABLE_MS)
    return ownPlaylistMessages.notRestorable
  if (isPlaylistRevived && (await draft.countPlaylists()) >= OWN_PLAYLISTS_MAX) return ownPlaylistMessages.tooManyPlaylists
  const addedEntries = [...changedEntries].reduce(
    (sum, [key, row]) => sum + Number(isLiveEntry(row)) - Number(isLiveEntry(draft.entries.get(key))),
    0,
  )
  if (addedEntries <= 0) return undefined
  if ((await draft.countEntries(rowAfter.id)) + addedEntries > ENTRIES_PER_PLAYLIST_MAX) return ownPlaylistMessages.playlistFull
  return (await draft.countEntries()) + addedEntries > ENTRIES_PER_ACCOUNT_MAX ? ownPlaylistMessages.accountFull : undefined
}

const createPlaylistRow = (draft: ChangeDraft, { playlistId, atMs }: NormalizedChange): OwnPlaylistRow => ({
  uid: draft.uid,
  id: playlistId,
  ...{ title: '', title_stamp: '', description: '', description_stamp: '', deleted: 0, deleted_stamp: '', deleted_at: null },
  created: limitToServerTime(atMs, draft.nowMs),
  ...{ ...ENDED_SHARING, hidden: '', version: 0 },
})

const hasSameColumns = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b)

/** Applies a change to the draft as a whole, or returns the message with which it is refused. */
async function applyChange(draft: ChangeDraft, change: NormalizedChange): Promise<string | undefined> {
  const playlistBefore = draft.playlists.get(change.playlistId)
  if (change.title === '') return ownPlaylistMessages.noTitle
  if (playlistBefore === undefined && change.title === undefined) return ownPlaylistMessages.noPlaylist
  const playlistAfter = mergePlaylist(playlistBefore ?? createPlaylistRow(draft, change), change, draft.nowMs)
  const changedEntries = mergeEntries(draft, change)
  if (typeof changedEntries === 'string') return changedEntries
  const exceededLimit = await findExceededLimit(draft, playlistBefore, playlistAfter, changedEntries)
  if (exceededLimit !== undefined) return exceededLimit
  if (playlistBefore === undefined || !hasSameColumns(playlistBefore, playlistAfter))
    draft.playlists.set(playlistAfter.id, { ...playlistAfter, version: ++draft.version })
  for (const [key, row] of changedEntries) {
    const stored = draft.entries.get(key)
    if (stored === undefined || !hasSameColumns(stored, row)) draft.entries.set(key, { ...row, version: ++draft.version })
  }
  draft.latestChangeMs = Math.max(draft.latestChangeMs, limitToServerTime(change.atMs, draft.nowMs))
  return undefined
}

interface ChangeTransaction {
  queries: Queries
  dialect: Pick<Dialect, 'listOfTexts'>
}

/** Reads the rows that the changes concern. */
async function readRows({ queries, dialect }: ChangeTransaction, uid: string, changes: readonly NormalizedChange[]) {
  const playlistIds = dialect.listOfTexts([...new Set(changes.map(({ playlistId }) => playlistId))])
  const entryIds = [...new Set(changes.flatMap(({ entries }) => entries.map(({ id }) => id)))]
  const playlistRows = await queries
    .selectFrom('own_playlists')
    .selectAll()
    .where('uid', '=', uid)
    .where(sql<boolean>`id in ${playlistIds}`)
    .execute()
  const entryRows =
    entryIds.length === 0
      ? []
      : await queries
          .selectFrom('own_playlist_entries')
          .selectAll()
          .where('uid', '=', uid)
          .where(sql<boolean>`playlist_id in ${playlistIds}`)
          .where(sql<boolean>`id in ${dialect.listOfTexts(entryIds)}`)
          .execute()
  return { playlists: playlistRows, entries: entryRows }
}

/** Returns functions that count stored rows once, and rows of the draft that have changed since. */
function createCounters(queries: Queries, uid: string, getDraft: () => ChangeDraft, storedRows: Awaited<ReturnType<typeof readRows>>) {
  const countByKey = new Map<string, Promise<number>>()
  const countOnce = (countKey: string, readCount: () => Promise<number>) => {
    const counted = countByKey.get(countKey) ?? readCount()
    countByKey.set(countKey, counted)
    return counted
  }
  const countLiveEntries = (rows: Iterable<OwnPlaylistEntryRow>, playlistId: string | undefined) =>
    [...rows].filter((row) => row.removed === 0 && (playlistId === undefined || row.playlist_id === playlistId)).length
  const countLivePlaylists = (rows: Iterable<OwnPlaylistRow>) => [...rows].filter((row) => row.deleted === 0).length
  return {
    async countPlaylists() {
      const playlistCount = await countOnce('playlists', async () => {
        const query = queries.selectFrom('own_playlists').where('uid', '=', uid).where('deleted', '=', 0)
        return (await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count
      })
      return playlistCount - countLivePlaylists(storedRows.playlists) + countLivePlaylists(getDraft().playlists.values())
    },
    async countEntries(playlistId?: string) {
      const entryCount = await countOnce(`entries ${playlistId ?? ''}`, async () => {
        const countQuery = queries
          .selectFrom('own_playlist_entries')
          .where('uid', '=', uid)
          // A literal instead of a bound parameter lets SQLite use the partial index.
          .where('removed', '=', sql.lit(0))
          .$if(playlistId !== undefined, (entries) => entries.where('playlist_id', '=', playlistId ?? ''))
        return (await countQuery.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count
      })
      return entryCount - countLiveEntries(storedRows.entries, playlistId) + countLiveEntries(getDraft().entries.values(), playlistId)
    },
  }
}

async function storePlaylists(queries: Queries, rows: readonly OwnPlaylistRow[]): Promise<void> {
  for (const rowBatch of splitIntoBatches(rows)) {
    await queries
      .insertInto('own_playlists')
      .values(rowBatch)
      .onConflict((conflict) =>
        conflict.columns(['uid', 'id']).doUpdateSet((eb) => ({
          title: eb.ref('excluded.title'),
          title_stamp: eb.ref('excluded.title_stamp'),
          description: eb.ref('excluded.description'),
          description_stamp: eb.ref('excluded.description_stamp'),
          deleted: eb.ref('excluded.deleted'),
          deleted_stamp: eb.ref('excluded.deleted_stamp'),
          deleted_at: eb.ref('excluded.deleted_at'),
          share_token: eb.ref('excluded.share_token'),
          indexed: eb.ref('excluded.indexed'),
          version: eb.ref('excluded.version'),
        })),
      )
      .execute()
  }
}

async function storeEntries(queries: Queries, rows: readonly OwnPlaylistEntryRow[]): Promise<void> {
  for (const rowBatch of splitIntoBatches(rows)) {
    await queries
      .insertInto('own_playlist_entries')
      .values(rowBatch)
      .onConflict((conflict) =>
        conflict.columns(['uid', 'playlist_id', 'id']).doUpdateSet((eb) => ({
          position: eb.ref('excluded.position'),
          position_stamp: eb.ref('excluded.position_stamp'),
          removed: eb.ref('excluded.removed'),
          removed_stamp: eb.ref('excluded.removed_stamp'),
          version: eb.ref('excluded.version'),
        })),
      )
      .execute()
  }
}

/**
 * Deletes the older half of an account's removed entries if they exceed `REMOVED_ENTRIES_MAX`, and of its deleted playlists if they exceed
 * `DELETED_PLAYLISTS_MAX`. Returns a new epoch then, which invalidates all cursors, because devices with an older cursor would miss the deleted rows.
 */
async function purgeOldDeletedRows(queries: Queries, uid: string): Promise<string | undefined> {
  const removedEntries = queries.selectFrom('own_playlist_entries').select('version').where('uid', '=', uid).where('removed', '=', 1)
  const newestRemovals = removedEntries.orderBy('version', 'desc').limit(1)
  const deletedPlaylists = queries.selectFrom('own_playlists').select('version').where('uid', '=', uid).where('deleted', '=', 1)
  const newestDeletions = deletedPlaylists.orderBy('version', 'desc').limit(1)
  const hasManyRemovals = (await newestRemovals.offset(REMOVED_ENTRIES_MAX).executeTakeFirst()) !== undefined
  const hasManyDeletions = (await newestDeletions.offset(DELETED_PLAYLISTS_MAX).executeTakeFirst()) !== undefined
  if (hasManyRemovals)
    await queries
      .deleteFrom('own_playlist_entries')
      .where('uid', '=', uid)
      .where('removed', '=', 1)
      .where('version', '<=', newestRemovals.offset(REMOVED_ENTRIES_MAX / 2))
      .execute()
  if (hasManyDeletions) {
    await queries
      .deleteFrom('own_playlists')
      .where('uid', '=', uid)
      .where('deleted', '=', 1)
      .where('version', '<=', newestDeletions.offset(DELETED_PLAYLISTS_MAX / 2))
      .execute()
    const remaining = queries.selectFrom('own_playlists').select('id').where('uid', '=', uid)
    for (const table of ['own_playlist_entries', 'own_playlist_reports'] as const)
      await queries.deleteFrom(table).where('uid', '=', uid).where('playlist_id', 'not in', remaining).execute()
  }
  return hasManyRemovals || hasManyDeletions ? createEpoch() : undefined
}

/**
 * Applies those of a device's changes that were not applied before, in a transaction. Returns the version of the account's rows before the
 * changes, their position after the changes, and the refused changes.
 * @param knownSongIds the ids of those of the changes' songs that the catalogue has, or a stored video
 */
export async function applyChanges(
  changeTransaction: ChangeTransaction,
  uid: string,
  changes: readonly NormalizedChange[],
  knownSongIds: ReadonlySet<string>,
  nowMs: number,
) {
  const { queries } = changeTransaction
  const positionBefore = await lockPosition(queries, uid)
  const refusedChanges: OwnPlaylistSyncResult['refused'] = []
  if (changes.length === 0) return { versionBefore: positionBefore.version, position: positionBefore, refused: refusedChanges }
  const changeIds = changes.map(({ id }) => id)
  const appliedIds = await readAppliedIds(changeTransaction, uid, changeIds)
  const storedRows = await readRows(changeTransaction, uid, changes)
  const draft: ChangeDraft = {
    ...{ uid, nowMs, knownSongIds, version: positionBefore.version, latestChangeMs: positionBefore.latest },
    playlists: new Map(storedRows.playlists.map((row) => [row.id, row])),
    entries: new Map(storedRows.entries.map((row) => [createEntryKey(row), row])),
    ...createCounters(queries, uid, () => draft, storedRows),
  }
  const newlyAppliedIds: string[] = []
  for (const playlistChange of changes) {
    if (appliedIds.has(playlistChange.id)) continue
    appliedIds.add(playlistChange.id)
    const message = await applyChange(draft, playlistChange)
    if (message === undefined) newlyAppliedIds.push(playlistChange.id)
    else refusedChanges.push({ id: playlistChange.id, message })
  }
  const changedPlaylists = [...draft.playlists.values()].filter(({ version }) => version > positionBefore.version)
  const changedEntries = [...draft.entries.values()].filter(({ version }) => version > positionBefore.version)
  await storePlaylists(queries, changedPlaylists)
  await storeEntries(queries, changedEntries)
  for (const batch of splitIntoBatches(newlyAppliedIds)) await storeNewChangeIds(queries, uid, batch, nowMs)
  if (newlyAppliedIds.length > 0) await deleteExcessChangeIds(queries, uid)
  const hasRemovals = changedPlaylists.some(({ deleted }) => deleted === 1) || changedEntries.some(({ removed }) => removed === 1)
  const newEpoch = (hasRemovals && (await purgeOldDeletedRows(queries, uid))) || positionBefore.epoch
  const position = { epoch: newEpoch, version: draft.version, latest: draft.latestChangeMs }
  if (newlyAppliedIds.length > 0) await queries.updateTable('own_playlist_positions').set(position).where('uid', '=', uid).execute()
  return { versionBefore: positionBefore.version, position, refused: refusedChanges }
}
