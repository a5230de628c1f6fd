import type { LiveQuery } from '../live-query.ts'
import type { LocalDatabase } from '../local-database.ts'
import { createOwnPlaylists } from '../own-playlists.ts'

/** Resolves with the value of a live query, after reading it anew. */
export function readQuery<T>(query: LiveQuery<T>): Promise<T> {
  return new Promise((resolve) => {
    const unsubscribe = query.subscribe(() => {
      const value = query.getSnapshot()
      queueMicrotask(() => unsubscribe())
      if (value !== undefined) resolve(value)
    })
  })
}

/** Returns functions that read own playlists as a newly opened page would. */
export function createPlaylistReader(getDatabase: () => LocalDatabase) {
  const open = () => createOwnPlaylists({ database: getDatabase(), sendOutbox: () => {} })
  const entriesOf = async (uid: string, id: string) => (await readQuery(open().content(uid, id)))?.entries ?? []
  return {
    entriesOf,
    songIdsOf: async (uid: string, id: string) => (await entriesOf(uid, id)).map(({ songId }) => songId),
    titlesOf: async (uid: string) => (await readQuery(open().all(uid))).map(({ title }) => title),
    /** Reads the changes of own playlists in the outbox, waiting or refused. */
    readChanges: async () =>
      (await getDatabase().read((tables) => tables.outbox.all())).flatMap((row) => (row.call === 'POST /list/sync' ? [row] : [])),
  }
}
