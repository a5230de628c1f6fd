import type { Song } from '../../contract/song.ts'
import type { LiveQuery } from './live-query.ts'
import type { LocalDatabase, Tables } from './local-database.ts'
import { applyEditsToPlaylists, type DatedEdit, type OwnPlaylist, type OwnPlaylistEdit } from './own-playlist-rows.ts'

/** A live query of own playlists that shows changes before they are stored. */
export interface OptimisticQuery<T> extends LiveQuery<T> {
  /** The playlists that the query shows; `undefined` until they are read, and while nobody watches the query. */
  shownPlaylists(): readonly OwnPlaylist[] | undefined
  /** Adds songs that are not stored yet to the rows that the query shows. */
  addSongs(songs: readonly Song[]): void
  /** Reads the database again. Never rejects. */
  refresh(): Promise<void>
  publish(): void
}

interface PendingChange {
  edits: readonly DatedEdit[]
  isSettled: boolean
}

interface PlaylistQueryOptions<T> {
  read(tables: Tables, songs: Map<string, Song>): Promise<readonly OwnPlaylist[]>
  /** Whether the query shows the playlist `id`. */
  shows(id: string): boolean
  toValue(playlists: readonly OwnPlaylist[], songs: ReadonlyMap<string, Song>): T
}

/** Functions that return the playlists that the page shows, by database and account. */
const shownPlaylistsByDatabase = new WeakMap<LocalDatabase, Map<string, () => readonly OwnPlaylist[]>>()

/** Returns an own playlist of the account `uid` if the page shows it, for example in a list of playlists. */
export const findShownPlaylist = (database: LocalDatabase, uid: string, playlistId: string): OwnPlaylist | undefined =>
  shownPlaylistsByDatabase
    .get(database)
    ?.get(uid)?.()
    .find((playlist) => playlist.id === playlistId)

/** Creates the optimistic queries of one account's playlists. */
export function createOptimisticQueries(database: LocalDatabase, uid: string, nowMs: () => number) {
  const watchedQueries = new Set<OptimisticQuery<unknown>>()
  const listShownPlaylists = () => [...watchedQueries].flatMap((query) => query.shownPlaylists() ?? [])
  shownPlaylistsByDatabase.set(database, (shownPlaylistsByDatabase.get(database) ?? new Map()).set(uid, listShownPlaylists))
  /** The changes that are shown before they are stored, in the order in which they were made. */
  const pendingChanges: PendingChange[] = []

  function createQuery<T>({ read, shows, toValue }: PlaylistQueryOptions<T>): OptimisticQuery<T> {
    const listeners = new Set<() => void>()
    /** The songs of the query's playlists. Each song is read once. */
    const songById = new Map<string, Song>()
    let storedPlaylists: readonly OwnPlaylist[] | undefined
    let shownPlaylists: readonly OwnPlaylist[] | undefined
    let shownValue: T | undefined
    let stopWatching: (() => void) | undefined
    const readStoredPlaylists = (tables: Tables) => read(tables, songById)

    function showPlaylists(playlists: readonly OwnPlaylist[]) {
      storedPlaylists = playlists
      publish()
    }
    function publish() {
      if (!storedPlaylists) return
      const pendingEdits = pendingChanges.flatMap((change) => change.edits.filter(({ edit }) => shows(edit.l)))
      shownPlaylists = applyEditsToPlaylists(storedPlaylists, pendingEdits)
      shownValue = toValue(shownPlaylists, songById)
      for (const listener of [...listeners]) listener()
    }

    const query: OptimisticQuery<T> = {
      getSnapshot: () => shownValue,
      subscribe(listener) {
        listeners.add(listener)
        watchedQueries.add(query)
        stopWatching ??= database.watch(readStoredPlaylists, {
          next: showPlaylists,
          error() {
            // If a read fails, the playlists of the last read stay.
          },
        })
        return () => {
          listeners.delete(listener)
          if (listeners.size > 0) return
          watchedQueries.delete(query)
          stopWatching?.()
          stopWatching = undefined
        }
      },
      shownPlaylists: () => (stopWatching ? shownPlaylists : undefined),
      addSongs(addedSongs) {
        for (const song of addedSongs) songById.set(song.youtube_id, song)
      },
      refresh: () => database.read(readStoredPlaylists).then(showPlaylists, () => {}),
      publish,
    }
    return query
  }

  const publishAll = () => {
    for (const query of watchedQueries) query.publish()
  }

  return {
    createQuery,

    /**
     * Shows a change that is not stored yet. `planEdits` returns its edits from the shown playlists; if it throws, nothing is shown. Returns the
     * function that ends the display; its argument tells whether the change was stored.
     */
    preview(
      planEdits: (playlists: ReadonlyMap<string, OwnPlaylist>) => readonly OwnPlaylistEdit[],
      songs: readonly Song[],
    ): (isStored: boolean) => Promise<void> {
      const atMs = nowMs()
      let datedEdits: DatedEdit[] = []
      try {
        datedEdits = planEdits(new Map(listShownPlaylists().map((playlist) => [playlist.id, playlist]))).map((edit) => ({ edit, atMs }))
      } catch {
        // The error is ignored: either the change needs a playlist that is not shown, or the error is thrown again when the change is
        // stored.
      }
      const change: PendingChange = { edits: datedEdits, isSettled: false }
      pendingChanges.push(change)
      for (const query of watchedQueries) query.addSongs(songs)
      publishAll()
      return async (isStored) => {
        // A stored change is shown optimistically until it has been read back, so that it never disappears for a moment.
        if (isStored) await Promise.all([...watchedQueries].map((query) => query.refresh()))
        else change.edits = []
        change.isSettled = true
        while (pendingChanges[0]?.isSettled) pendingChanges.shift()
        publishAll()
      }
    },
  }
}
