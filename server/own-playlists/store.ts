import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { OwnPlaylistSyncRequest, OwnPlaylistSyncResult } from '../../contract/own-playlist.ts'
import { DELETED_PLAYLIST_RESTORABLE_MS } from '../../contract/own-playlist-rules.ts'
import { createKnownSongFinder } from '../catalogue/store-known-songs.ts'
import { createPlaylistVideoStore } from '../catalogue/store-playlist-videos.ts'
import type { SongReadOptions } from '../catalogue/store-song-rows.ts'
import type { Database, Queries } from '../storage/database.ts'
import { createEpoch, formatCursor, readCursor, type SyncPosition } from '../storage/sync.ts'
import { applyChanges, normalizeChange } from './store-changes.ts'
import { createOwnPlaylistQueries, readChanges } from './store-reads.ts'
import { createOwnPlaylistSharing } from './store-sharing.ts'

/** An own playlist as the account export contains it, with its songs in order, including songs that the catalogue no longer has. */
export interface ExportedOwnPlaylist {
  title: string
  description: string
  /** ISO 8601 UTC. */
  created: string
  songs: { s: string; at: string }[]
}

/** Deletes the position first: its lock waits for a concurrent sync, whose rows are then deleted too. */
export async function deleteOwnPlaylists(queries: Queries, uid: string): Promise<void> {
  for (const table of ['own_playlist_positions', 'own_playlists', 'own_playlist_entries', 'own_playlist_reports'] as const)
    await queries.deleteFrom(table).where('uid', '=', uid).execute()
}

/** Deletes the entries of playlists that cannot be restored any more. The playlists stay, so that no earlier change of a device brings them back. */
export async function deleteEntriesOfDeletedPlaylists(queries: Queries, nowMs: number): Promise<void> {
  await sql`
    delete from own_playlist_entries where exists (
      select 1 from own_playlists p
      where p.deleted_at < ${nowMs - DELETED_PLAYLIST_RESTORABLE_MS} and p.uid = own_playlist_entries.uid and p.id = own_playlist_entries.playlist_id)`.execute(
    queries,
  )
}

/** Own playlists, by uid of an account of this server or of a Firebase project. */
export function createOwnPlaylistStore(database: Database) {
  const { queries: readQueries, dialect, write } = database
  const findCatalogueSongs = createKnownSongFinder(database)
  const { listVideos } = createPlaylistVideoStore(database)
  const ownPlaylistQueries = createOwnPlaylistQueries(database)

  /** Returns those of the given ids that playlists may contain: the songs of the catalogue and the stored videos. */
  async function findKnownSongs(songIds: readonly string[]): Promise<Set<string>> {
    const knownSongIds = await findCatalogueSongs(songIds)
    for (const { song_id } of await listVideos(songIds.filter((id) => !knownSongIds.has(id)))) knownSongIds.add(song_id)
    return knownSongIds
  }

  /** Returns the rows up to the sync position `currentPosition` that a device with the sync position `knownPosition` does not have yet. */
  async function readChangesSince(
    queries: Queries,
    uid: string,
    knownPosition: SyncPosition | undefined,
    currentPosition: SyncPosition,
    versionBefore: number,
  ) {
    // A cursor ahead of the account's position was issued before the database was restored from a backup.
    const isCursorKnown =
      knownPosition !== undefined && knownPosition.epoch === currentPosition.epoch && knownPosition.version <= versionBefore
    const above = isCursorKnown ? knownPosition.version : 0
    const changes = await readChanges(queries, uid, { above, upTo: currentPosition.version }, { withRemoved: isCursorKnown })
    return { isKnown: isCursorKnown, ...changes }
  }

  return {
    ...createOwnPlaylistSharing(database),
    countSongs: ownPlaylistQueries.countSongs,
    listSongs: ownPlaylistQueries.listSongs,

    /**
     * Applies a device's changes in one transaction, each as a whole, without the songs that the catalogue lacks, or not at all. Returns the rows that
     * have changed since its cursor. A change whose id was already applied is ignored. A request without changes is read only.
     */
    sync: async (
      uid: string,
      { since, changes = [] }: OwnPlaylistSyncRequest,
      nowMs: number,
      readOptions: SongReadOptions,
    ): Promise<OwnPlaylistSyncResult> => {
      const knownPosition = readCursor(since)
      const positionBefore = changes.length > 0 ? undefined : await ownPlaylistQueries.readPosition(uid)
      const normalizedChanges = changes.map((change) => normalizeChange(change, nowMs))
      const songIds = normalizedChanges.flatMap(({ entries }) => entries.flatMap(({ songId }) => songId ?? []))
      const knownSongIds = await findKnownSongs([...new Set(songIds)])
      const changeOutcome =
        positionBefore === undefined
          ? await write(async (queries) => {
              const applied = await applyChanges({ queries, dialect }, uid, normalizedChanges, knownSongIds, nowMs)
              // The rows are read in the same transaction, so that they contain this call's changes, even if others change the same rows.
              return { ...applied, ...(await readChangesSince(queries, uid, knownPosition, applied.position, applied.versionBefore)) }
            })
          : {
              position: positionBefore,
              refused: [],
              ...(await readChangesSince(readQueries, uid, knownPosition, positionBefore, positionBefore.version)),
            }
      const originalIdByLowerId = new Map(changes.map(({ id }) => [id.toLowerCase(), id]))
      const { epoch, latest } = changeOutcome.position
      return {
        cursor: formatCursor({ epoch, version: changeOutcome.version }),
        ...(latest > 0 && { latest: new Date(latest).toISOString() }),
        whole: !changeOutcome.isKnown,
        more: changeOutcome.hasMore,
        playlists: changeOutcome.playlists,
        entries: changeOutcome.entries,
        songs: await ownPlaylistQueries.songsOf(changeOutcome.entries, readOptions),
        refused: changeOutcome.refused.map(({ id, message }) => ({ id: originalIdByLowerId.get(id) ?? id, message })),
      }
    },

    /** Lists the playlists that are not deleted, in the order in which they were created, one at a time. */
    async *exportAll(uid: string): AsyncGenerator<ExportedOwnPlaylist[]> {
      const playlistRows = await readQueries
        .selectFrom('own_playlists')
        .select(['id', 'title', 'description', 'created'])
        .where('uid', '=', uid)
        .where('deleted', '=', 0)
        .orderBy('created')
        .orderBy('id')
        .execute()
      for (const { id, title, description, created } of playlistRows) {
        const entryRows = await readQueries
          .selectFrom('own_playlist_entries')
          .select(['song_id', 'added'])
          .where('uid', '=', uid)
          .where('playlist_id', '=', id)
          .where('removed', '=', sql.lit(0))
          .orderBy('position')
          .orderBy('id')
          .execute()
        const addedSongs = entryRows.map(({ song_id, added }) => ({ s: song_id, at: new Date(added).toISOString() }))
        yield [{ title, description, created: new Date(created).toISOString(), songs: addedSongs }]
        // Lets other requests run before the next playlist is read.
        await nextTurn()
      }
    },

    /** Invalidates the cursors of all devices, as `resetCursors` of the favorite store does. Returns the number of accounts. */
    resetCursors: (): Promise<number> =>
      write(async (queries) => {
        const { numUpdatedRows } = await queries.updateTable('own_playlist_positions').set({ epoch: createEpoch() }).executeTakeFirst()
        return Number(numUpdatedRows)
      }),
  }
}
