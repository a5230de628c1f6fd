import { DELETED_PLAYLIST_RESTORABLE_MS, pickMosaicSongIds } from '../../contract/own-playlist-rules.ts'
import type { Song } from '../../contract/song.ts'
import { createUniqueId } from '../primitives/unique-id.ts'
import { putSongs } from './catalogue-rows.ts'
import { createLiveQuery, type LiveQuery } from './live-query.ts'
import { ANONYMOUS_UID, type LocalDatabase, type OwnPlaylistRow, type Tables } from './local-database.ts'
import {
  appendEntries,
  cleanTitleAndDescription,
  concatEntries,
  createEntryCopier,
  dropDuplicateSongs,
  type EntryChanges,
  type NewPlaylistEntry,
  type PlaylistsById,
  planMove,
  requirePlaylist,
  requireRoomFor,
  requireRoomForEntries,
  requireRoomInPlaylist,
  requireWholePlaylist,
  splitEdit,
  toAddedEntries,
  toNewEntries,
} from './own-playlist-edits.ts'
import { joinAnonymousPlaylists } from './own-playlist-join.ts'
import {
  createIdTest,
  type OwnPlaylist,
  type OwnPlaylistEdit,
  type OwnPlaylistEntry,
  readOwnPlaylist,
  readOwnPlaylists,
  storeAnonymousEdits,
  storeEdits,
} from './own-playlist-rows.ts'
import { createOptimisticQueries, type OptimisticQuery } from './own-playlist-views.ts'
import { toSongRow } from './row-shapes.ts'
import { getSongCache } from './song-cache.ts'

export type { OwnPlaylistEntry } from './own-playlist-rows.ts'

/** A playlist with the data that lists of own playlists show. */
export interface OwnPlaylistSummary {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly addedAtMs: number
  /** When the playlist was deleted, in epoch milliseconds; absent for a playlist that is not deleted. */
  readonly deletedAtMs?: number
  readonly songCount: number
  /** The first four different songs, for the picture of the playlist. */
  readonly firstSongIds: readonly string[]
  /** How the playlist is shared; absent for a private one. */
  readonly share?: NonNullable<OwnPlaylistRow['share']>
  /** The reason for which an admin has hidden the playlist's public page; absent if the page is not hidden. */
  readonly hidden?: string
  /** Present while this device still fetches the account's entries, so that `songCount` may be too low, and entries may be missing. */
  readonly isPartial?: true
}

export interface OwnPlaylistContent {
  readonly summary: OwnPlaylistSummary
  readonly entries: readonly OwnPlaylistEntry[]
  /** The songs of the entries by id, without songs whose rows this device does not have. It may have other songs, too, and changes in place. */
  readonly songById: ReadonlyMap<string, Song>
}

export interface AddedSongs {
  readonly added: readonly OwnPlaylistEntry[]
  /** The songs that were not added, because the playlist already had them. */
  readonly duplicates: readonly Song[]
}

/**
 * The playlists of an account, or, with `ANONYMOUS_UID`, those of a person who is not signed in. A change is shown immediately. Its promise resolves
 * when the change is stored on this device; it rejects if the change cannot be stored, with an `OwnPlaylistRefusal` if it is not allowed, and the
 * change is no longer shown.
 */
export interface OwnPlaylists {
  /** The playlists that are not deleted, the newest first. */
  all(uid: string): LiveQuery<readonly OwnPlaylistSummary[]>
  /** The deleted playlists that can be restored, the last deleted first. */
  deleted(uid: string): LiveQuery<readonly OwnPlaylistSummary[]>
  /** A playlist without its songs, also a deleted one; `null` if there is no such playlist. */
  summary(uid: string, id: string): LiveQuery<OwnPlaylistSummary | null>
  /** A playlist with its songs, also a deleted one; `null` if there is no such playlist. */
  content(uid: string, id: string): LiveQuery<OwnPlaylistContent | null>
  /** Whether this device still fetches the account's entries. Playlists that it has already may be partial until then. */
  isLoading(uid: string): LiveQuery<boolean>
  /** Reads a playlist with its songs once. */
  readContent(uid: string, id: string): Promise<OwnPlaylistContent | null>
  /** Resolves with the id of the new playlist. */
  create(uid: string, values: { title: string; description?: string; songs?: readonly Song[] }): Promise<string>
  /** Makes a copy of a playlist with another title, also of songs whose rows this device does not have. Resolves with the copy's id. */
  duplicate(uid: string, id: string, title: string): Promise<string>
  change(uid: string, id: string, values: { title?: string; description?: string }): Promise<void>
  remove(uid: string, id: string): Promise<void>
  restore(uid: string, id: string): Promise<void>
  /** Appends songs. With `skip`, songs that the playlist has already are left out. */
  addSongs(uid: string, id: string, songs: readonly Song[], options: { duplicates: 'keep' | 'skip' }): Promise<AddedSongs>
  /** Resolves with the removed entries, with which `restoreEntries` undoes the change. */
  removeEntries(uid: string, id: string, entryIds: readonly string[]): Promise<readonly OwnPlaylistEntry[]>
  /** Puts removed entries back in their places, if there is still room for them. */
  restoreEntries(uid: string, id: string, entries: readonly OwnPlaylistEntry[]): Promise<void>
  /** Moves entries, in the order of `entryIds`, before the entry `beforeEntryId`, or to the end if it is `undefined`. */
  moveEntries(uid: string, id: string, entryIds: readonly string[], beforeEntryId: string | undefined): Promise<void>
  /**
   * Appends the songs of other playlists, and deletes these playlists. With `skip`, songs that the playlist has already are left out. Resolves with the
   * added entries, with which `undoMerge` undoes the change.
   */
  merge(
    uid: string,
    intoId: string,
    fromIds: readonly string[],
    options: { duplicates: 'keep' | 'skip' },
  ): Promise<readonly OwnPlaylistEntry[]>
  undoMerge(uid: string, intoId: string, fromIds: readonly string[], added: readonly OwnPlaylistEntry[]): Promise<void>
  /** Counts the songs that `merge` would leave out with `skip`. */
  countDuplicates(uid: string, intoId: string, fromIds: readonly string[]): Promise<number>
}

interface OwnPlaylistsDeps {
  database: LocalDatabase
  sendOutbox: () => void
  nowMs?: () => number
}

/**
 * Returns the edits of a change, given the current playlists. Called once for the optimistic display, and again for each attempt to store
 * the change.
 */
type PlanEdits = (playlists: PlaylistsById) => readonly OwnPlaylistEdit[]

export function createOwnPlaylists({ database, sendOutbox, nowMs = Date.now }: OwnPlaylistsDeps): OwnPlaylists {
  const queriesByUid = new Map<string, AccountQueries>()
  const getAccountQueries = (uid: string): AccountQueries => {
    const queries = queriesByUid.get(uid) ?? createAccountQueries(database, uid, nowMs)
    queriesByUid.set(uid, queries)
    return queries
  }

  /** Plans a change with the playlists `playlistIds`, and stores it with the rows of `songs`. A merge has a `mergeId`. */
  async function storePlannedEdits(
    uid: string,
    playlistIds: readonly string[] | 'all',
    planEdits: PlanEdits,
    songs: readonly Song[] = [],
    mergeId?: string,
  ): Promise<void> {
    const endPreview = getAccountQueries(uid).preview(planEdits, songs)
    try {
      await database.change(async (tables) => {
        const edits = planEdits(await readPlaylists(tables, uid, playlistIds)).flatMap(splitEdit)
        await putSongs(tables, songs.map(toSongRow))
        await (uid === ANONYMOUS_UID ? storeAnonymousEdits(tables, edits, nowMs()) : storeEdits(tables, uid, edits, nowMs(), { mergeId }))
      })
    } catch (error) {
      await endPreview(false)
      throw error
    }
    await endPreview(true)
    if (uid !== ANONYMOUS_UID) sendOutbox()
  }

  return {
    all: (uid) => getAccountQueries(uid).all,
    deleted: (uid) => getAccountQueries(uid).deleted,
    summary: (uid, id) => getAccountQueries(uid).summary(id),
    content: (uid, id) => getAccountQueries(uid).content(id),
    isLoading: (uid) => getAccountQueries(uid).isLoading,
    readContent: (uid, playlistId) =>
      database.read(async (tables) => {
        const playlist = await readOwnPlaylist(tables, uid, playlistId)
        return playlist ? toContent(playlist, await getSongCache(database).read(tables, listSongIds(playlist))) : null
      }),
    async create(uid, { title, description = '', songs = [] }) {
      const [id, newEntries] = [createUniqueId(), toNewEntries(songs)]
      await storePlannedEdits(
        uid,
        'all',
        (playlists) => {
          requireRoomFor(playlists, [id])
          requireRoomForEntries(playlists, newEntries.length, nowMs())
          return [{ l: id, ...cleanTitleAndDescription({ title, description }), entries: appendEntries([], newEntries) }]
        },
        songs,
      )
      return id
    },
    async duplicate(uid, playlistId, title) {
      const [copyId, copyEntries] = [createUniqueId(), createEntryCopier()]
      await storePlannedEdits(uid, 'all', (playlists) => {
        const { description, entries } = requireWholePlaylist(playlists, playlistId)
        requireRoomFor(playlists, [copyId])
        requireRoomForEntries(playlists, entries.length, nowMs())
        return [{ l: copyId, ...cleanTitleAndDescription({ title, description }), entries: appendEntries([], copyEntries(entries)) }]
      })
      return copyId
    },
    change: (uid, id, values) => storePlannedEdits(uid, [], () => [{ l: id, ...cleanTitleAndDescription(values) }]),
    remove: (uid, id) => storePlannedEdits(uid, [], () => [{ l: id, deleted: true }]),
    restore: (uid, playlistId) =>
      storePlannedEdits(uid, 'all', (playlists) => {
        requireRoomFor(playlists, [playlistId])
        return [{ l: playlistId, deleted: false }]
      }),
    async addSongs(uid, playlistId, songs, { duplicates }) {
      const newEntries = toNewEntries(songs)
      let addedItems: readonly NewPlaylistEntry[] = []
      let changes: EntryChanges = []
      // If the page shows all playlists, their entries are counted there, because reading 100,000 entries takes a tenth of a second.
      const shownPlaylists = getAccountQueries(uid).all.shownPlaylists()
      await storePlannedEdits(
        uid,
        shownPlaylists ? [playlistId] : 'all',
        (playlists) => {
          const { entries } = requireWholePlaylist(playlists, playlistId)
          addedItems = duplicates === 'skip' ? dropDuplicateSongs(entries, newEntries) : newEntries
          requireRoomForEntries(shownPlaylists ? toPlaylistsById(shownPlaylists) : playlists, addedItems.length, nowMs())
          changes = appendEntries(entries, addedItems)
          return [{ l: playlistId, entries: changes }]
        },
        songs,
      )
      return {
        added: toAddedEntries(addedItems, changes),
        duplicates: songs.filter((_, index) => !addedItems.some((item) => item === newEntries[index])),
      }
    },
    async removeEntries(uid, playlistId, entryIds) {
      const removedEntryIds = new Set(entryIds)
      let removedEntries: readonly OwnPlaylistEntry[] = []
      await storePlannedEdits(uid, [playlistId], (playlists) => {
        removedEntries = requirePlaylist(playlists, playlistId).entries.filter(({ e }) => removedEntryIds.has(e))
        return [{ l: playlistId, entries: removedEntries.map(({ e }) => ({ e, removed: true })) }]
      })
      return removedEntries
    },
    restoreEntries: (uid, id, removedEntries) =>
      storePlannedEdits(uid, 'all', (playlists) => {
        const { entries } = requirePlaylist(playlists, id)
        const isPresent = createIdTest(entries.map(({ e }) => e))
        const missingCount = removedEntries.filter(({ e }) => !isPresent(e)).length
        requireRoomInPlaylist(entries, missingCount)
        requireRoomForEntries(playlists, missingCount, nowMs())
        return [{ l: id, entries: removedEntries.map(({ e, songId, position }) => ({ e, s: songId, position, removed: false })) }]
      }),
    moveEntries: (uid, id, entryIds, beforeEntryId) =>
      storePlannedEdits(uid, [id], (playlists) => [
        { l: id, entries: planMove(requireWholePlaylist(playlists, id).entries, entryIds, beforeEntryId) },
      ]),
    async merge(uid, targetPlaylistId, sourcePlaylistIds, { duplicates }) {
      const sourceIds = sourcePlaylistIds.filter((id) => id !== targetPlaylistId)
      const copyEntries = createEntryCopier()
      let addedItems: readonly NewPlaylistEntry[] = []
      let changes: EntryChanges = []
      await storePlannedEdits(
        uid,
        'all',
        (playlists) => {
          const { entries } = requireWholePlaylist(playlists, targetPlaylistId)
          const newEntries = copyEntries(concatEntries(playlists, sourceIds))
          addedItems = duplicates === 'skip' ? dropDuplicateSongs(entries, newEntries) : newEntries
          requireRoomForEntries(playlists, addedItems.length, nowMs())
          changes = appendEntries(entries, addedItems)
          return [{ l: targetPlaylistId, entries: changes }, ...sourceIds.map((id) => ({ l: id, deleted: true }))]
        },
        [],
        createUniqueId(),
      )
      return toAddedEntries(addedItems, changes)
    },
    undoMerge: (uid, targetPlaylistId, sourcePlaylistIds, addedEntries) =>
      storePlannedEdits(uid, 'all', (playlists) => {
        requireRoomFor(playlists, sourcePlaylistIds)
        return [
          ...sourcePlaylistIds.filter((id) => id !== targetPlaylistId).map((id) => ({ l: id, deleted: false })),
          { l: targetPlaylistId, entries: addedEntries.map(({ e }) => ({ e, removed: true })) },
        ]
      }),
    async countDuplicates(uid, targetPlaylistId, sourcePlaylistIds) {
      const sourceIds = sourcePlaylistIds.filter((id) => id !== targetPlaylistId)
      const playlists = await database.read((tables) => readPlaylists(tables, uid, [targetPlaylistId, ...sourceIds]))
      const items = concatEntries(playlists, sourceIds).map(({ e, songId }) => ({ e, s: songId }))
      return items.length - dropDuplicateSongs(requireWholePlaylist(playlists, targetPlaylistId).entries, items).length
    },
  }
}

async function readPlaylists(tables: Tables, uid: string, playlistIds: readonly string[] | 'all'): Promise<PlaylistsById> {
  const playlists: OwnPlaylist[] = []
  if (playlistIds === 'all') playlists.push(...(await readOwnPlaylists(tables, uid)))
  else
    for (const id of playlistIds) playlists.push(...[await readOwnPlaylist(tables, uid, id)].filter((playlist) => playlist !== undefined))
  return toPlaylistsById(playlists)
}

const toPlaylistsById = (playlists: readonly OwnPlaylist[]): PlaylistsById => new Map(playlists.map((playlist) => [playlist.id, playlist]))

type AccountQueries = ReturnType<typeof createAccountQueries>

/** Creates the live queries of the playlists of one account, or of the device if nobody is signed in. */
function createAccountQueries(database: LocalDatabase, uid: string, nowMs: () => number) {
  const { createQuery, preview } = createOptimisticQueries(database, uid, nowMs)
  const contentQueryById = new Map<string, OptimisticQuery<OwnPlaylistContent | null>>()
  const summaryQueryById = new Map<string, OptimisticQuery<OwnPlaylistSummary | null>>()
  const readPlaylists = (tables: Tables) => readOwnPlaylists(tables, uid)
  const isAlwaysShown = () => true

  /** Before the account's playlists are read, moves the playlists that were made while nobody was signed in to the account. */
  const joinOnSubscribe = <Query extends OptimisticQuery<unknown>>(query: Query): Query => ({
    ...query,
    subscribe(listener) {
      if (uid !== ANONYMOUS_UID) joinAnonymousPlaylists(database, uid, nowMs()).catch(() => {})
      return query.subscribe(listener)
    },
  })

  return {
    preview,
    isLoading: createLiveQuery(database, async (tables) => (await tables.ownPlaylistCursors.get(uid))?.more === true),
    all: joinOnSubscribe(
      createQuery({
        read: readPlaylists,
        shows: isAlwaysShown,
        toValue: (playlists) =>
          playlists
            .filter(({ deletedAtMs }) => deletedAtMs === undefined)
            .sort((a, b) => b.addedAtMs - a.addedAtMs)
            .map(summarizePlaylist),
      }),
    ),
    deleted: createQuery({
      read: readPlaylists,
      shows: isAlwaysShown,
      toValue: (playlists) =>
        playlists
          .filter(({ deletedAtMs = 0 }) => deletedAtMs >= nowMs() - DELETED_PLAYLIST_RESTORABLE_MS)
          .sort((a, b) => (b.deletedAtMs ?? 0) - (a.deletedAtMs ?? 0))
          .map(summarizePlaylist),
    }),
    summary(playlistId: string): LiveQuery<OwnPlaylistSummary | null> {
      const summaryQuery =
        summaryQueryById.get(playlistId) ??
        joinOnSubscribe(
          createQuery<OwnPlaylistSummary | null>({
            read: async (tables) => [await readOwnPlaylist(tables, uid, playlistId)].filter((playlist) => playlist !== undefined),
            shows: (shownId) => shownId === playlistId,
            toValue: ([playlist]) => (playlist ? summarizePlaylist(playlist) : null),
          }),
        )
      summaryQueryById.set(playlistId, summaryQuery)
      return summaryQuery
    },
    content(playlistId: string): LiveQuery<OwnPlaylistContent | null> {
      const contentQuery =
        contentQueryById.get(playlistId) ??
        joinOnSubscribe(
          createQuery<OwnPlaylistContent | null>({
            async read(tables, songs) {
              const playlist = await readOwnPlaylist(tables, uid, playlistId)
              if (!playlist) return []
              const songIds = listSongIds(playlist)
              const storedSongs = await getSongCache(database).read(tables, songIds)
              for (const songId of songIds) {
                const song = storedSongs.get(songId)
                if (song) songs.set(songId, song)
              }
              return [playlist]
            },
            shows: (shownId) => shownId === playlistId,
            toValue: ([playlist], songs) => (playlist ? toContent(playlist, songs) : null),
          }),
        )
      contentQueryById.set(playlistId, contentQuery)
      return contentQuery
    },
  }
}

function summarizePlaylist({ entries, ...playlist }: OwnPlaylist): OwnPlaylistSummary {
  return { ...playlist, songCount: entries.length, firstSongIds: pickMosaicSongIds(entries, ({ songId }) => songId) }
}

const listSongIds = ({ entries }: OwnPlaylist): string[] => entries.map(({ songId }) => songId)

const toContent = (playlist: OwnPlaylist, songById: ReadonlyMap<string, Song>): OwnPlaylistContent => ({
  summary: summarizePlaylist(playlist),
  entries: playlist.entries,
  songById,
})
