import { Dexie } from 'dexie'
import { waitForNextTask } from '../primitives/next-task.ts'
import type { DatabaseOpenResult } from './device-database.ts'
import { createDexieDatabase, createPageDexie, DATABASE_NAME, PINNED_PLAYLISTS_TABLE, SCHEMA_VERSION } from './dexie-database.ts'
import {
  ANONYMOUS_UID,
  type FollowsRow,
  type LocalDatabase,
  type OutboxRow,
  type OwnPlaylistRow,
  type PinnedPlaylistRow,
} from './local-database.ts'
import { repairPinnedPlaylist, rowValidators } from './row-shapes.ts'

// Time limit for opening: some browsers neither open nor refuse a database in private windows, and a tab of an older version may hold it
// open.
const OPEN_TIMEOUT_MS = 3_000
/** Wait before an unreadable database is opened a second time. */
const SECOND_OPEN_DELAY_MS = 1_000
/** If the browser closes a reopened database again within this time, the database counts as lost. */
const CONNECTION_STABLE_AFTER_MS = 10_000
/** Errors of a browser that provides no database at all, so that creating the database anew would fail as well. */
const refusalErrorNames = new Set(['SecurityError', 'InvalidStateError', 'MissingAPIError', 'QuotaExceededError', 'NotAllowedError'])

/**
 * Opens the database on disk within a few seconds. A database that is unreadable twice is deleted and created anew; pinned playlists, the
 * outbox and the own playlists that no account owns are copied into the new database where they are readable.
 */
export async function openDiskDatabase(databaseName?: string, timeoutMs = OPEN_TIMEOUT_MS): Promise<DatabaseOpenResult> {
  // The database is opened in a new task, because this one has just evaluated Dexie's code.
  await waitForNextTask()
  // Loads the chunk of offline search early, because without a service worker the chunk is not cached and cannot be loaded offline.
  import('./song-text-index.ts').catch(() => {})
  await waitForNextTask()
  let firstOpenResult = await openOnce(databaseName, timeoutMs)
  // The database is opened a second time before it is deleted, because an I/O error may be transient and deletion is final.
  if (firstOpenResult === 'broken') {
    await waitMs(SECOND_OPEN_DELAY_MS)
    firstOpenResult = await openOnce(databaseName, timeoutMs)
  }
  // The first reads and writes start in a new task, because Dexie has verified the schema in this one.
  await waitForNextTask()
  if (typeof firstOpenResult !== 'string')
    return firstOpenResult.isOutdated
      ? { kind: 'refused', health: 'outdated', readable: openReadOnly(firstOpenResult.db) }
      : toOpenedDatabase(firstOpenResult.db, 'persistent', timeoutMs)
  if (firstOpenResult !== 'broken') return { kind: 'refused', health: firstOpenResult }
  const {
    pinned: pinnedRows,
    outbox: outboxRows,
    ownPlaylists: playlistRows = [],
    follows: followRows = [],
  } = await salvageRows(databaseName, timeoutMs)
  if (!(await deleteDatabase(databaseName, timeoutMs))) return { kind: 'refused', health: 'refused' }
  const secondOpenResult = await openOnce(databaseName, timeoutMs)
  if (typeof secondOpenResult === 'string' || secondOpenResult.isOutdated) return { kind: 'refused', health: 'refused' }
  const openResult = toOpenedDatabase(secondOpenResult.db, pinnedRows ? 'persistent' : 'restarted', timeoutMs)
  await openResult.disk.change(async (tables) => {
    await tables.pinned.put(pinnedRows ?? [])
    await tables.outbox.put(outboxRows ?? [])
    await tables.ownPlaylists.put(playlistRows)
    await tables.ownPlaylistCursors.put(playlistRows.length > 0 ? [{ uid: ANONYMOUS_UID, cursor: '' }] : [])
    await tables.follows.put(followRows)
  })
  return openResult
}

interface SalvagedRows {
  pinned?: PinnedPlaylistRow[]
  outbox?: OutboxRow[]
  ownPlaylists?: OwnPlaylistRow[]
  follows?: FollowsRow[]
}

/**
 * Reads the rows that are moved to the new database before the unreadable one is deleted. The songs of pinned playlists are downloaded again; the
 * outbox, and the own playlists and followed artists of a person without an account, exist on this device only. Invalid rows are left out.
 */
async function salvageRows(databaseName: string | undefined, timeoutMs: number): Promise<SalvagedRows> {
  // Dexie is given no schema, so that it opens the database with the existing tables.
  const db = new Dexie(databaseName ?? DATABASE_NAME)
  const openPromise = db.open()
  const readRowsOf = <T>(tableName: string) => {
    const readPromise = openPromise.then(() => db.table<T, string>(tableName).toArray()).catch(() => undefined)
    return Promise.race([readPromise, waitMs(timeoutMs)])
  }
  const [pinnedRows, outboxRows, playlistRows, followRows] = await Promise.all([
    readRowsOf<PinnedPlaylistRow>(PINNED_PLAYLISTS_TABLE),
    readRowsOf<OutboxRow>('outbox'),
    readRowsOf<OwnPlaylistRow>('ownPlaylists'),
    readRowsOf<FollowsRow>('follows'),
  ])
  db.close()
  return {
    ...(pinnedRows && { pinned: pinnedRows.map(repairPinnedPlaylist).filter((row) => row !== undefined) }),
    ...(outboxRows && { outbox: outboxRows.filter(rowValidators.outbox) }),
    ...(playlistRows && { ownPlaylists: playlistRows.filter((row) => rowValidators.ownPlaylists(row) && row.uid === ANONYMOUS_UID) }),
    ...(followRows && { follows: followRows.filter((row) => rowValidators.follows(row) && row.uid === ANONYMOUS_UID) }),
  }
}

interface OpenedDatabase {
  db: Dexie
  /** A database that a newer version has upgraded is only read, never written. Rows that are invalid in this version are ignored. */
  isOutdated: boolean
}

async function openOnce(databaseName: string | undefined, timeoutMs: number): Promise<OpenedDatabase | 'broken' | 'blocked' | 'refused'> {
  const db = createPageDexie(databaseName)
  let isOpenBlocked = false
  let hasOpenTimedOut = false
  db.on('blocked', () => {
    isOpenBlocked = true
    return false
  })
  const openPromise = db.open().then(
    () => {
      // Closes the database if it opens after the timeout: the page runs without it by then, and it must not block other tabs.
      if (hasOpenTimedOut) db.close()
      return db
    },
    (error: unknown) => (isRefusalError(error) ? ('refused' as const) : ('broken' as const)),
  )
  const openedInTime = await Promise.race([openPromise, waitMs(timeoutMs)])
  if (openedInTime === undefined) {
    hasOpenTimedOut = true
    return isOpenBlocked ? 'blocked' : 'refused'
  }
  if (typeof openedInTime === 'string') return openedInTime
  // The version is checked here, because Dexie also opens a newer schema, into which an older page must not write.
  if (hasNewerVersion(openedInTime)) return { db: openedInTime, isOutdated: true }
  if (!hasExpectedKeys(openedInTime)) {
    openedInTime.close()
    return 'broken'
  }
  return { db: openedInTime, isOutdated: false }
}

const hasNewerVersion = (db: Dexie): boolean => db.backendDB().version > SCHEMA_VERSION * 10 + 9

/** Dexie adds missing tables, but cannot use a table with another primary key. */
function hasExpectedKeys(db: Dexie): boolean {
  const transaction = db.backendDB().transaction(db.tables.map((table) => table.name))
  return db.tables.every((table) => transaction.objectStore(table.name).keyPath === table.schema.primKey.keyPath)
}

function toOpenedDatabase(db: Dexie, databaseHealth: 'persistent' | 'restarted', timeoutMs: number): DatabaseOpenResult & { kind: 'open' } {
  return {
    kind: 'open',
    disk: createDexieDatabase(db),
    health: databaseHealth,
    onLost(listener) {
      let isConnectionLost = false
      let reopenedAtMs = Number.NEGATIVE_INFINITY

      function reportConnectionLost(databaseHealth: 'outdated' | 'refused') {
        if (isConnectionLost) return
        isConnectionLost = true
        if (databaseHealth === 'refused') listener('refused')
        else listener('outdated', openUpgraded(db.name, timeoutMs))
      }

      async function reopen() {
        const isConnectionUnstable = performance.now() - reopenedAtMs < CONNECTION_STABLE_AFTER_MS
        reopenedAtMs = performance.now()
        // The database is opened in a later microtask, because Dexie reports that the database is closed before it has finished closing it.
        const reopenedDatabase = isConnectionUnstable
          ? undefined
          : await Promise.race([Promise.resolve().then(() => db.open()), waitMs(timeoutMs)])
        if (!reopenedDatabase) reportConnectionLost('refused')
        else if (hasNewerVersion(reopenedDatabase)) {
          reportConnectionLost('outdated')
          db.close()
        }
      }

      // Closes the database, because a page of a newer version waits for that.
      db.on('versionchange', () => {
        reportConnectionLost('outdated')
        db.close()
        return false
      })
      // The browser closed the database, for example because the page was in the background or its storage was cleared. Dexie itself closes it at
      // `pagehide` if the page enters the back/forward cache, and opens it again when the page is back.
      db.on('close', () => {
        if (!isConnectionLost && window.event?.type !== 'pagehide') reopen().catch(() => reportConnectionLost('refused'))
      })
    },
  }
}

/** Opens the database for reading once a newer version has upgraded it. Reads fail if the upgrade did not take place. */
function openUpgraded(databaseName: string, timeoutMs: number): LocalDatabase {
  const openPromise = openOnce(databaseName, timeoutMs).then((openResult) => {
    if (typeof openResult === 'string') throw new Error(`The upgraded database cannot be opened: ${openResult}.`)
    if (!openResult.isOutdated) {
      openResult.db.close()
      throw new Error('The database was not upgraded.')
    }
    return openReadOnly(openResult.db)
  })
  openPromise.catch(() => {
    // An error of the opening is ignored here, because every read rejects with it.
  })
  return {
    read: async (read) => (await openPromise).read(read),
    watch(readRows, observer) {
      let isStopped = false
      let stopOpening = () => {
        isStopped = true
      }
      openPromise.then(
        (database) => {
          if (!isStopped) stopOpening = database.watch(readRows, observer)
        },
        (error: unknown) => observer.error(error),
      )
      return () => stopOpening()
    },
    change: () => Promise.reject(new Error('A newer version has upgraded the database.')),
    onSongsChanged: () => () => {},
  }
}

function openReadOnly(db: Dexie): LocalDatabase {
  db.on('versionchange', () => {
    db.close()
    return false
  })
  return createDexieDatabase(db, { canRepair: false })
}

async function deleteDatabase(databaseName: string | undefined, timeoutMs: number): Promise<boolean> {
  const deletedDatabase = createPageDexie(databaseName)
    .delete()
    .then(
      () => true,
      () => false,
    )
  return (await Promise.race([deletedDatabase, waitMs(timeoutMs)])) ?? false
}

const waitMs = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms))

const isRefusalError = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  (('name' in error && typeof error.name === 'string' && refusalErrorNames.has(error.name)) ||
    ('inner' in error && error.inner !== error && isRefusalError(error.inner)))
