import { ANONYMOUS_UID, type LocalDatabase, type OutboxRow, type Table, type Tables } from '../../client/data/local-database.ts'
import type { OwnPlaylistChange } from '../../contract/own-playlist.ts'
import type { PlantedDefects } from './simulation.ts'

/** Returns a defect by which the tables of each transaction are replaced. */
const replaceTables = (replace: (tables: Tables) => Partial<Tables>): PlantedDefects => ({
  wrapDatabase: (database) => ({ ...database, change: (work) => database.change((tables) => work({ ...tables, ...replace(tables) })) }),
})
const createTableWithoutPuts = <T>(table: Table<T>): Table<T> => ({ ...table, put: async () => {} })

/** Returns a defect by which the changes of each request are replaced. */
const replaceChanges = <T>(replaceChange: (change: T) => T | undefined): PlantedDefects => ({
  async replaceRequestBody(requestBody) {
    const { changes = [], ...others }: { changes?: T[] } = JSON.parse(requestBody)
    return JSON.stringify({ ...others, changes: changes.flatMap((change) => replaceChange(change) ?? []) })
  },
})
/** Returns a defect by which the data of each response is replaced. */
const replaceData = (replaceFields: (data: Record<string, unknown>) => Record<string, unknown>): PlantedDefects => ({
  replaceResponseBody(responseBody) {
    const response: { data: Record<string, unknown> } = JSON.parse(responseBody)
    return JSON.stringify({ ...response, data: replaceFields(response.data) })
  },
})

/** Removes the changes of a device when they are sent, before the server has answered. */
function createForgetfulOutbox(): PlantedDefects {
  let lastDatabase: LocalDatabase | undefined
  return {
    wrapDatabase(database) {
      lastDatabase = database
      return database
    },
    async replaceRequestBody(requestBody) {
      await lastDatabase?.change(async (tables) => tables.outbox.remove(await tables.outbox.keys()))
      return requestBody
    },
  }
}

let arrivalMs = Date.UTC(9000, 0)
/** Of two changes of a value, the one that arrives last wins, because the server takes all changes for those of one device in the order of arrival. */
export const lastArrivalWins = replaceChanges((change: object) => ({
  ...change,
  at: new Date(++arrivalMs).toISOString(),
  device: '00000000-0000-4000-8000-000000000001',
}))

/** Defects of the code that favorites, own playlists and followed artists share. */
const sharedDefects = {
  /** A change is removed from the outbox before the server has answered. */
  forgetfulOutbox: createForgetfulOutbox(),
  /** Changes are ordered only by the clocks of the devices. */
  deviceClocks: replaceTables(({ favoriteClocks }) => ({
    favoriteClocks: { ...favoriteClocks, get: async () => undefined },
  })),
  /** A change whose request failed is not sent again. */
  noRetry: replaceTables(({ outbox }) => ({
    outbox: { ...outbox, put: (rows) => outbox.put(rows.map((row) => (row.attempts > 0 ? { ...row, state: 'failed' } : row))) },
  })),
} satisfies Record<string, PlantedDefects>

export const favoriteDefects = {
  ...sharedDefects,
  /** Removals are not sent. */
  noRemovals: replaceChanges((change: { favorite: boolean }) => (change.favorite ? change : undefined)),
  /** The first favorite of each response is not stored. */
  partialResponse: replaceData((data) => ({ ...data, favorites: [data.favorites].flat().slice(1) })),
  /** The songs of a response are not stored. */
  noSongs: replaceData((data) => ({
    ...data,
    ...(data.favorites !== undefined && {
      favorites: [data.favorites].flat().map((favorite) => ({ ...Object(favorite), song: undefined })),
    }),
  })),
} satisfies Record<string, PlantedDefects>

/** The time of the latest change is ignored. */
const noLatestTime = replaceData(({ latest: _, ...data }) => data)

/** Returns a table that ignores changes of the stored rows of a person who is not signed in. */
const createTableWithoutAnonymousEdits = <T extends { uid: string }>(table: Table<T>): Table<T> => ({
  ...table,
  async put(rows) {
    const storedKeys = new Set(await table.keys())
    await table.put(rows.filter((row) => row.uid !== ANONYMOUS_UID || !storedKeys.has(table.keyOf(row))))
  },
})

export const followDefects = {
  ...sharedDefects,
  /** Artists that are followed, or no longer followed, without an account are not stored, except the first one. */
  noAnonymousEdits: replaceTables(({ follows }) => ({ follows: createTableWithoutAnonymousEdits(follows) })),
  noLatestTime,
  /** An artist that is no longer followed is not sent. */
  noUnfollows: replaceChanges((change: { follow: boolean }) => (change.follow ? change : undefined)),
  /** The first artist of each response is not stored. */
  partialResponse: replaceData((data) => ({ ...data, ...(data.artists !== undefined && { artists: [data.artists].flat().slice(1) }) })),
  /** A response moves the cursor, but its artists are not stored. */
  cursorOnly: replaceTables(({ follows }) => ({
    follows: {
      ...follows,
      put: async (newRows) => {
        for (const row of newRows) {
          const { names = [], atMs = [] } = (await follows.get(row.uid)) ?? {}
          await follows.put([row.uid === ANONYMOUS_UID ? row : { ...row, names, atMs }])
        }
      },
    },
  })),
  /** The artists that were followed on the device before the login are not added to the account. */
  noJoining: {
    wrapDatabase: (database) => ({
      ...database,
      read: (readRows) =>
        database.read(({ follows, ...tables }) =>
          readRows({
            ...tables,
            follows: {
              ...follows,
              getMany: async (uids) => (await follows.getMany(uids)).map((row, index) => (uids[index] === ANONYMOUS_UID ? undefined : row)),
            },
          }),
        ),
    }),
  },
} satisfies Record<string, PlantedDefects>

/** Puts the placed entries of a change before all entries that were placed correctly. A change with a title creates a playlist, without a choice of place. */
function placeEntriesAtStart(row: OutboxRow): OutboxRow {
  if (row.call !== 'POST /list/sync' || row.body.title !== undefined || !row.body.entries) return row
  const entries = row.body.entries.map((entry) => (entry.position === undefined ? entry : { ...entry, position: `0${entry.position}` }))
  return { ...row, body: { ...row.body, entries } }
}

/** Defects that histories of the titles of own playlists reveal soonest. */
export const playlistOrderDefects = { ...sharedDefects, noLatestTime } satisfies Record<string, PlantedDefects>

export const playlistDefects = {
  /** Entries are always placed at the start of a playlist. */
  placedAtStart: replaceTables(({ outbox }) => ({
    outbox: {
      ...outbox,
      async put(rows) {
        const storedIds = new Set(await outbox.keys())
        await outbox.put(rows.map((row) => (storedIds.has(row.id) ? row : placeEntriesAtStart(row))))
      },
    },
  })),
  /** The device shows the entries of a stored playlist in reversed order. */
  reversedOrder: replaceTables(({ ownPlaylists }) => ({
    ownPlaylists: {
      ...ownPlaylists,
      put: (rows) =>
        ownPlaylists.put(
          rows.map((row) => ({
            ...row,
            entryIds: row.entryIds.toReversed(),
            songIds: row.songIds.toReversed(),
            positions: row.positions.toReversed(),
          })),
        ),
    },
  })),
  /** Changes of a playlist that was made without an account are not stored. */
  noAnonymousEdits: replaceTables(({ ownPlaylists }) => ({ ownPlaylists: createTableWithoutAnonymousEdits(ownPlaylists) })),
  /** The songs of a response are not stored. */
  noSongs: replaceData((data) => ({ ...data, ...(data.songs !== undefined && { songs: [] }) })),
  /** A change is applied without its last entry. */
  partialChange: replaceChanges(({ entries = [], ...otherFields }: OwnPlaylistChange) => ({
    ...otherFields,
    entries: entries.slice(0, -1),
  })),
  /** Moves are not sent. */
  noMoves: replaceChanges(({ entries = [], ...otherFields }: OwnPlaylistChange) => ({
    ...otherFields,
    entries: entries.filter(({ s, removed }) => s !== undefined || removed),
  })),
  /** Deletions are not sent. */
  noDeletions: replaceChanges(({ deleted: _, ...change }: OwnPlaylistChange) => change),
  /** The entries of a response lose their positions. */
  noPositions: replaceData((responseData) => ({
    ...responseData,
    entries: [responseData.entries].flat().map((entry) => ({ ...Object(entry), position: 'a' })),
  })),
  /** A response moves the cursor, but its rows are not stored. */
  cursorOnly: replaceTables(({ ownPlaylists }) => ({ ownPlaylists: createTableWithoutPuts(ownPlaylists) })),
  /** The playlists that were made on the device before the login are not added to the account. */
  noJoining: replaceTables(({ ownPlaylists }) => ({
    ownPlaylists: { ...ownPlaylists, all: async () => [] },
  })),
} satisfies Record<string, PlantedDefects>
