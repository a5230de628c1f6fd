import { Dexie, type Table as DexieTable, liveQuery } from 'dexie'
import { createEmitter } from '../primitives/emitter.ts'
import { addListener } from '../primitives/scope.ts'
import {
  ANONYMOUS_UID,
  type LocalDatabase,
  type OwnPlaylistCursorRow,
  type Table,
  type TableName,
  type VisitRow,
} from './local-database.ts'
import { repairPinnedPlaylist, rowValidators } from './row-shapes.ts'
import { createTables, recordSongWrites } from './tables.ts'

export const DATABASE_NAME = 'varispeed'
export const SCHEMA_VERSION = 11
/** The name that the table of pinned playlists has in IndexedDB. */
export const PINNED_PLAYLISTS_TABLE = 'kept'

/**
 * Creates Dexie with the schema of the page's database. A schema change adds its tables to the last version and raises `SCHEMA_VERSION`; a change
 * of rows is a version of its own with an upgrade function. Dexie needs no other older versions, and parses all versions again for each one
 * (https://dexie.org/docs/Dexie/Dexie.version()).
 */
export function createPageDexie(databaseName = DATABASE_NAME): Dexie {
  const db = new Dexie(databaseName)
  db.version(2)
    .stores({
      songs: 'youtube_id',
      playlists: 'id',
      lists: 'key',
      details: 'key',
      visits: 'key',
      feed: 'id',
      site: 'key',
      [PINNED_PLAYLISTS_TABLE]: 'id',
    })
    .upgrade((transaction) =>
      transaction
        .table<VisitRow, string>('visits')
        .toCollection()
        .modify((row) => {
          row.usedAtMs = row.fetchedAtMs
        }),
    )
  db.version(SCHEMA_VERSION).stores({
    accounts: 'uid',
    makeHistories: 'uid',
    outbox: 'id',
    favorites: 'uid',
    favoriteClocks: 'uid',
    recentPlays: 'id',
    documents: 'name',
    members: 'channel_id',
    supporters: 'domain_name',
    memberStats: 'key',
    ownPlaylists: 'id',
    ownPlaylistCursors: 'uid',
    follows: 'uid',
    followedSongs: 'uid',
    listening: 'key',
  })
  return db
}

/** Creates the database on disk. Invalid rows are never returned. With `canRepair`, a read also removes or repairs invalid rows on disk. */
export function createDexieDatabase(db: Dexie, { canRepair = true } = {}): LocalDatabase {
  const tables = createTables((tableName, keyOf) => {
    const repairRow: RowRepair<object> = (row) => (rowValidators[tableName](row) ? row : repairByTable[tableName]?.(row))
    const table = db.table<object, string>(tableName === 'pinned' ? PINNED_PLAYLISTS_TABLE : tableName)
    const cursorTable = tableName === 'ownPlaylists' ? db.table<OwnPlaylistCursorRow, string>('ownPlaylistCursors') : undefined
    return wrapTable(table, keyOf, repairRow, { canRepair, cursorTable })
  })
  const songsChanged = createEmitter<readonly string[] | undefined>()
  const songsChannel = openSongsChannel(db, songsChanged.emit)

  // The callback is declared `async`, because Dexie keeps a transaction open across native promises only in such functions.
  return {
    read: (read) => db.transaction('r', db.tables, async () => read(tables)),
    watch(readRows, observer) {
      const subscription = liveQuery(async () => readRows(tables)).subscribe(
        (value) => observer.next(value),
        (error: unknown) => observer.error(error),
      )
      return () => subscription.unsubscribe()
    },
    async change(transaction) {
      const changedSongIds = new Set<string>()
      await db.transaction('rw', db.tables, async () => transaction(recordSongWrites(tables, changedSongIds)))
      if (changedSongIds.size === 0) return
      songsChanged.emit([...changedSongIds])
      songsChannel?.postMessage([...changedSongIds])
    },
    onSongsChanged: songsChanged.subscribe,
  }
}

/** Carries the ids of changed songs between the tabs that have the database open; absent in a browser without `BroadcastChannel`. */
function openSongsChannel(db: Dexie, onMessage: (ids: readonly string[] | undefined) => void): BroadcastChannel | undefined {
  if (typeof BroadcastChannel !== 'function') return undefined
  const broadcastChannel = new BroadcastChannel(`${db.name}.songs`)
  // When the page is restored from the back/forward cache, every song counts as changed, because a cached page receives no messages.
  addListener(window, 'pageshow', ({ persisted }) => persisted && onMessage(undefined))
  broadcastChannel.onmessage = ({ data }: MessageEvent<unknown>) => onMessage(Array.isArray(data) ? data.filter(isString) : undefined)
  return broadcastChannel
}

const isString = (key: unknown): key is string => typeof key === 'string'

/** Returns the row if it is valid, a repaired row, or `undefined` if the row is to be removed. */
type RowRepair<T> = (row: T) => T | undefined

/** Functions that repair invalid rows, by table. The invalid rows of all other tables are removed. */
const repairByTable: { readonly [Name in TableName]?: RowRepair<object> } = { pinned: repairPinnedPlaylist }

// If at least this many keys are requested, the whole table is read instead, which is far quicker, unless the table has more than
// `WHOLE_TABLE_READ_MAX_RATIO` times as many rows as are requested.
const WHOLE_TABLE_READ_MIN_KEYS = 300
const WHOLE_TABLE_READ_MAX_RATIO = 5

interface WrapOptions {
  canRepair: boolean
  /** The table of the sync cursors, if they are not in the rows themselves. They are removed with invalid rows, so that the rows are fetched again. */
  cursorTable: DexieTable<OwnPlaylistCursorRow, string> | undefined
}

function wrapTable<T>(
  table: DexieTable<T, string>,
  keyOf: (row: T) => string,
  repairRow: RowRepair<T>,
  { canRepair, cursorTable }: WrapOptions,
): Table<T> {
  const invalidKeys = new Set<string>()

  function repairRowIfNeeded(storedRow: T): T | undefined {
    const validRow = repairRow(storedRow)
    if (validRow !== storedRow && canRepair) {
      // Repairs are written in a transaction of their own, because the read's transaction is read-only.
      if (invalidKeys.size === 0) setTimeout(writeRepairs)
      invalidKeys.add(keyOf(storedRow))
    }
    return validRow
  }
  const keepValidRows = (rows: readonly T[]): T[] => rows.map(repairRowIfNeeded).filter((row) => row !== undefined)

  function writeRepairs() {
    const rowKeys = [...invalidKeys]
    invalidKeys.clear()
    table.db
      .transaction('rw', cursorTable ? [table, cursorTable] : [table], async () => {
        const rows = (await table.bulkGet(rowKeys)).filter((row) => row !== undefined)
        const removedKeys = rows.filter((row) => repairRow(row) === undefined).map(keyOf)
        await table.bulkDelete(removedKeys)
        // The cursors of all accounts are removed, because the invalid rows may lack the uid.
        if (removedKeys.length > 0) await cursorTable?.where(':id').notEqual(ANONYMOUS_UID).delete()
        await table.bulkPut(rows.map(repairRow).filter((row) => row !== undefined))
      })
      .catch(() => {
        // Repairs fail if the database accepts no writes. Invalid rows then stay on disk and are still not returned.
      })
  }

  return {
    keyOf,
    async get(rowKey) {
      const row = await table.get(rowKey)
      return row && repairRowIfNeeded(row)
    },
    async getMany(rowKeys) {
      if (rowKeys.length < WHOLE_TABLE_READ_MIN_KEYS || (await table.count()) > rowKeys.length * WHOLE_TABLE_READ_MAX_RATIO)
        return (await table.bulkGet([...rowKeys])).map((row) => row && repairRowIfNeeded(row))
      const rows = new Map(keepValidRows(await table.toArray()).map((row) => [keyOf(row), row]))
      return rowKeys.map((key) => rows.get(key))
    },
    all: async () => keepValidRows(await table.toArray()),
    async page(afterKey, rowLimit) {
      const pageRows: T[] = []
      for (let lastKey = afterKey; pageRows.length < rowLimit; ) {
        const missingCount = rowLimit - pageRows.length
        const rowBatch = await table.where(':id').above(lastKey).limit(missingCount).toArray()
        pageRows.push(...keepValidRows(rowBatch))
        const lastRow = rowBatch.at(-1)
        if (lastRow === undefined || rowBatch.length < missingCount) break
        lastKey = keyOf(lastRow)
      }
      return pageRows
    },
    keys: async () => (await table.toCollection().primaryKeys()).filter(isString),
    count: () => table.count(),
    async put(rows) {
      if (rows.length > 0) await table.bulkPut(rows)
    },
    async remove(keys) {
      if (keys.length > 0) await table.bulkDelete([...keys])
    },
  }
}
