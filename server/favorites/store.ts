import type { FavoriteChange, FavoriteSyncRequest, FavoriteSyncResult } from '../../contract/favorite.ts'
import { FAVORITES_FULL_MESSAGE } from '../../contract/favorite-limits.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { createFavoritePlaceReader } from '../catalogue/store-favorite-places.ts'
import { createKnownSongFinder } from '../catalogue/store-known-songs.ts'
import { createPlaylistVideoStore } from '../catalogue/store-playlist-videos.ts'
import type { SongReadOptions } from '../catalogue/store-song-rows.ts'
import { deleteExcessChangeIds, readAppliedIds, storeNewChangeIds } from '../storage/applied-changes.ts'
import type { Database, Queries } from '../storage/database.ts'
import { createServerRegister, mergeChange, parseChangeTime } from '../storage/merge.ts'
import type { Pagination } from '../storage/pagination.ts'
import { createEpoch, formatCursor, readCursor, splitIntoBatches } from '../storage/sync.ts'
import { type ApplicableChange, applyChangesToList, lockFavoriteList } from './store-list.ts'
import { createFavoriteQueries, toIsoTime } from './store-reads.ts'

/** Result of setting a favorite. `no-song`: the song does not exist. `full`: the list has reached its maximum length. */
export type SetFavoriteOutcome = 'set' | 'no-song' | 'full'

/** A favorite in the export of an account, as it is stored. */
export interface ExportedFavorite {
  /** The id of the favorite song. */
  s: string
  /** Time of the change, ISO 8601 UTC. */
  at: string
}

/** Maximum number of favorite states in a sync response. */
const MAX_ROWS_PER_RESPONSE = 2000

const UNKNOWN_SONG_MESSAGE = 'There is no such song.'
const VIDEO_MESSAGE = 'This video is no song of the catalogue. It can only be in playlists.'

/** Converts a change as a request contains it: `s` is renamed, and the time becomes epoch milliseconds. */
const normalizeChange = ({ s, at, ...changeFields }: FavoriteChange, nowMs: number) => ({
  ...changeFields,
  id: changeFields.id.toLowerCase(),
  songId: parseVideoId(s),
  atMs: parseChangeTime(at, nowMs),
  deviceId: changeFields.device.toLowerCase(),
})

/** Deletes the list row first: its lock waits for a concurrent sync, whose rows are then deleted too. */
export async function deleteFavorites(queries: Queries, uid: string): Promise<void> {
  await queries.deleteFrom('favorite_lists').where('uid', '=', uid).execute()
  await queries.deleteFrom('favorites').where('uid', '=', uid).execute()
  await queries.deleteFrom('applied_changes').where('owner', '=', uid).execute()
}

/**
 * Favorites, by uid of an account of this server or of a Firebase project. Lists are ordered by the time of the change, newest first.
 * Favorites whose song was removed from the catalogue are omitted from lists of songs.
 */
export function createFavoriteStore(database: Database) {
  const { queries: readQueries, dialect } = database
  const favoriteReads = createFavoriteQueries(database)
  const findKnownSongs = createKnownSongFinder(database)
  const { listVideos } = createPlaylistVideoStore(database)
  const listTransactionDeps = { dialect, countFavorites: favoriteReads.count }

  /**
   * Applies those of a device's changes that were not applied before. Returns the list's previous version, the list after the changes, and the
   * refused changes.
   */
  async function applyChanges(uid: string, changes: readonly FavoriteChange[], nowMs: number) {
    const normalizedChanges = changes.map((change) => normalizeChange(change, nowMs))
    const songIds = normalizedChanges.flatMap(({ songId }) => songId ?? [])
    const knownSongIds = await findKnownSongs(songIds)
    const videos = await listVideos(songIds.filter((id) => !knownSongIds.has(id)))
    const videoIds = new Set(videos.map((video) => video.song_id))
    return database.write(async (queries) => {
      const listBefore = await lockFavoriteList(queries, uid)
      if (normalizedChanges.length === 0) return { versionBefore: listBefore.version, list: listBefore, refused: [] }
      const appliedIds = await readAppliedIds(
        { queries, dialect },
        uid,
        normalizedChanges.map(({ id }) => id),
      )
      const applicableChanges: ApplicableChange[] = []
      const refusedChanges: FavoriteSyncResult['refused'] = []
      for (const { id, songId, ...changeFields } of normalizedChanges) {
        if (appliedIds.has(id)) continue
        appliedIds.add(id)
        if (songId === undefined || (changeFields.favorite && !knownSongIds.has(songId)))
          refusedChanges.push({ id, message: videoIds.has(songId ?? '') ? VIDEO_MESSAGE : UNKNOWN_SONG_MESSAGE })
        else {
          const mergeStored: ApplicableChange['merge'] = (stored) =>
            mergeChange({ ...changeFields, value: changeFields.favorite }, stored, nowMs)
          applicableChanges.push({ id, songId, isKnownSong: knownSongIds.has(songId), merge: mergeStored })
        }
      }
      const { list, overLimitIds, ignoredIds } = await applyChangesToList(
        { ...listTransactionDeps, queries },
        uid,
        listBefore,
        applicableChanges,
      )
      refusedChanges.push(...overLimitIds.map((id) => ({ id, message: FAVORITES_FULL_MESSAGE })))
      const ineffectiveChangeIds = new Set([...overLimitIds, ...ignoredIds])
      const appliedChangeIds = applicableChanges.flatMap(({ id }) => (ineffectiveChangeIds.has(id) ? [] : [id]))
      for (const batch of splitIntoBatches(appliedChangeIds)) await storeNewChangeIds(queries, uid, batch, nowMs)
      if (appliedChangeIds.length > 0) await deleteExcessChangeIds(queries, uid)
      const originalIdByLowerId = new Map(changes.map(({ id }) => [id.toLowerCase(), id]))
      return {
        versionBefore: listBefore.version,
        list,
        refused: refusedChanges.map(({ id, message }) => ({ id: originalIdByLowerId.get(id) ?? id, message })),
      }
    })
  }

  return {
    /**
     * Applies a device's changes in one transaction and returns the states changed since its cursor. A change whose id was already applied
     * is ignored; for each song the latest change wins. A request without changes is read only.
     */
    sync: async (
      uid: string,
      { since, changes = [] }: FavoriteSyncRequest,
      nowMs: number,
      readOptions: SongReadOptions,
    ): Promise<FavoriteSyncResult> => {
      const knownPosition = readCursor(since)
      const unlockedList = changes.length > 0 ? undefined : await favoriteReads.readList(uid)
      const { versionBefore, list, refused } =
        unlockedList === undefined
          ? await applyChanges(uid, changes, nowMs)
          : { versionBefore: unlockedList.version, list: unlockedList, refused: [] }
      // A cursor ahead of the list was issued before the database was restored from a backup.
      const isCursorKnown = knownPosition !== undefined && knownPosition.epoch === list.epoch && knownPosition.version <= versionBefore
      const fromVersion = isCursorKnown ? knownPosition.version : 0
      const changedStates =
        fromVersion === list.version
          ? []
          : await favoriteReads.changedSince(uid, fromVersion, { withRemoved: isCursorKnown, limit: MAX_ROWS_PER_RESPONSE + 1 })
      const hasMore = changedStates.length > MAX_ROWS_PER_RESPONSE
      const responseRows = hasMore ? changedStates.slice(0, MAX_ROWS_PER_RESPONSE) : changedStates
      // The rows may include changes that were made after `list` was read.
      const lastVersion = responseRows.at(-1)?.version ?? 0
      return {
        cursor: formatCursor({ epoch: list.epoch, version: hasMore ? lastVersion : Math.max(list.version, lastVersion) }),
        whole: !isCursorKnown,
        more: hasMore,
        favorites: await favoriteReads.statesOf(responseRows, readOptions),
        refused,
      }
    },
    /** Sets a favorite as the latest change of the song. Removing a song that is no favorite returns 'set'. */
    set: async (uid: string, songId: string, isFavorite: boolean, nowMs: number): Promise<SetFavoriteOutcome> => {
      const isKnownSong = (await findKnownSongs([songId])).has(songId)
      if (isFavorite && !isKnownSong) return 'no-song'
      return database.write(async (queries) => {
        const favoriteList = await lockFavoriteList(queries, uid)
        const { overLimitIds } = await applyChangesToList({ ...listTransactionDeps, queries }, uid, favoriteList, [
          { id: '', songId, isKnownSong, merge: (stored) => createServerRegister(isFavorite, stored, nowMs) },
        ])
        return overLimitIds.length === 0 ? 'set' : 'full'
      })
    },
    has: createFavoritePlaceReader(readQueries).has,
    /** Lists the ranks of the favorite songs in the current catalogue (`SongStore.listByRanks`), newest first. */
    listRanks: favoriteReads.listRanks,
    findLatest: favoriteReads.findLatest,
    /** Picks a playable favorite with uniform probability; `undefined` if there is none. */
    pickRandom: favoriteReads.pickRandom,
    /** Lists favorites, including songs that the catalogue no longer has; newest first. */
    exportPage: async (uid: string, page: Pagination): Promise<ExportedFavorite[]> =>
      (await favoriteReads.listEntries(uid, page)).map(({ song_id, changed_at }) => ({ s: song_id, at: toIsoTime(changed_at) })),
    /**
     * Invalidates all cursors, so that every device requests its complete list. Needed after the database is restored from a backup: cursors
     * issued after the backup would otherwise count as current. Returns the number of lists.
     */
    resetCursors: (): Promise<number> =>
      database.write(async (queries) => {
        const { numUpdatedRows } = await queries.updateTable('favorite_lists').set({ epoch: createEpoch() }).executeTakeFirst()
        return Number(numUpdatedRows)
      }),
  }
}
