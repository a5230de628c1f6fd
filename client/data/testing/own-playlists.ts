import type { LiveQuery } from '../live-query.ts'
import type { LocalDatabase } from '../local-database.ts'
import { createOwnPlaylists, type OwnPlaylistContent } from '../own-playlists.ts'

/** Resolves with the value of a live query, after reading it anew. */
export function readQuery<T>(liveQuery: LiveQuery<T>): Promise<T> {
  return new Promise((resolve) => {
    const unsubscribe = liveQuery.subscribe(() => {
      const value = liveQuery.getSnapshot()
      queueMicrotask(() => unsubscribe())
      if (value !== undefined) resolve(value)
    })
  })
}

/** Returns the songs of a playlist in their order, with `undefined` for each that the device does not have. */
export const listSongs = (content: OwnPlaylistContent | null | undefined) =>
  content?.entries.map(({ songId }) => content.songById.get(songId))

/** Returns functions that read own playlists as a newly opened page would. */
export function createPlaylistReader(getDatabase: () => LocalDatabase) {
  const openPlaylists = () => createOwnPlaylists({ database: getDatabase(), sendOutbox: () => {} })
  const readEntries = async (uid: string, id: string) => (await readQuery(openPlaylists().content(uid, id)))?.entries ?? []
  return {
    entriesOf: readEntries,
    songIdsOf: async (uid: string, id: string) => (await readEntries(uid, id)).map(({ songId }) => songId),
    titlesOf: async (uid: string) => (await readQuery(openPlaylists().all(uid))).map(({ title }) => title),
    /** Reads the changes of own playlists in the outbox, waiting or refused. */
    readChanges: async () =>
      (await getDatabase().read((tables) => tables.outbox.all())).flatMap((row) => (row.call === 'POST /list/sync' ? [row] : [])),
  }
}
