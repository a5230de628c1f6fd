import { createChangeSync } from '../../client/data/change-sync.ts'
import { syncedFavorites } from '../../client/data/favorite-sync.ts'
import { createFavorites, type Favorites } from '../../client/data/favorites.ts'
import { createFollows, createSyncedFollows, type Follows } from '../../client/data/follows.ts'
import type { LocalDatabase, OutboxRow, Table } from '../../client/data/local-database.ts'
import { createMemoryDatabase } from '../../client/data/memory-database.ts'
import { createOutbox } from '../../client/data/outbox.ts'
import { createSyncedPlaylists } from '../../client/data/own-playlist-sync.ts'
import { createOwnPlaylists, type OwnPlaylists } from '../../client/data/own-playlists.ts'
import { createApi } from '../../client/platform/api.ts'

/** The client's own code for the data of an account, as one tab runs it. */
export interface TabServices {
  favorites: Favorites
  ownPlaylists: OwnPlaylists
  follows: Follows
}

/** A browser tab of a simulated device. */
export interface SimulatedTab {
  /** Runs an operation of a person. The promise resolves once it is stored, and never if the tab is killed before that. */
  run<T>(operation: (services: TabServices) => Promise<T>): Promise<T>
  /** Sends the changes and fetches those of other devices. If the tab is killed before the end, the promise never resolves. */
  sync(): Promise<void>
  /** Ends the tab immediately, as a browser does when memory is short: pending operations are abandoned, and the tab's locks are released. */
  kill(): void
  readonly isKilled: boolean
  /** Resolves when the tab is killed. */
  readonly whenKilled: Promise<void>
}

/** A simulated browser with a database, a clock and tabs. */
export interface SimulatedDevice {
  readonly database: LocalDatabase
  /** How many milliseconds the clock of the device is ahead of the server's. */
  clockSkewMs: number
  /** The signed-in account; `undefined` if nobody is signed in. */
  uid: string | undefined
  openTab(): SimulatedTab
  /** Returns the rows of the outbox, waiting or refused. */
  readOutbox(): Promise<OutboxRow[]>
  close(): void
}

export interface SimulatedDeviceOptions {
  nowMs: () => number
  createToken: (uid: string) => Promise<string>
  /** Sends a request of a tab over the simulated network. */
  fetch: (tab: SimulatedTab, ...args: Parameters<typeof globalThis.fetch>) => Promise<Response>
  /** Called with the new rows of the outbox once they are stored. */
  onChangesStored: (rows: readonly OutboxRow[]) => void
  /** Called with the cursor of a response once the response is stored. */
  onResponseStored: (cursor: string) => void
  /** Wraps the database so that it has a planted defect. */
  wrapDatabase?: (database: LocalDatabase) => LocalDatabase
}

/** Reports the stored rows of a database: new rows of the outbox, and the cursors of responses. */
function reportStoredRows(
  database: LocalDatabase,
  { onChangesStored, onResponseStored }: Pick<SimulatedDeviceOptions, 'onChangesStored' | 'onResponseStored'>,
): LocalDatabase {
  const reportedChangeIds = new Set<string>()
  /** Returns a table that calls `onPut` with each row that is put. */
  const recordPuts = <T>(table: Table<T>, onPut: (row: T) => void): Table<T> => ({
    ...table,
    put(newRows) {
      newRows.forEach(onPut)
      return table.put(newRows)
    },
  })
  return {
    ...database,
    async change(changeRows) {
      const storedChanges: OutboxRow[] = []
      const storedCursors: string[] = []
      await database.change((tables) =>
        changeRows({
          ...tables,
          outbox: recordPuts(tables.outbox, (row) => storedChanges.push(row)),
          favorites: recordPuts(tables.favorites, ({ cursor }) => storedCursors.push(cursor)),
          ownPlaylistCursors: recordPuts(tables.ownPlaylistCursors, ({ cursor }) => storedCursors.push(cursor)),
          follows: recordPuts(tables.follows, ({ cursor }) => storedCursors.push(cursor)),
        }),
      )
      onChangesStored(storedChanges.filter(({ id }) => !reportedChangeIds.has(id)))
      for (const { id } of storedChanges) reportedChangeIds.add(id)
      storedCursors.forEach(onResponseStored)
    },
  }
}

const neverSettlingPromise = new Promise<never>(() => {})

export function createSimulatedDevice({
  nowMs,
  createToken,
  fetch,
  wrapDatabase = (database) => database,
  ...reportCallbacks
}: SimulatedDeviceOptions): SimulatedDevice {
  const database = wrapDatabase(reportStoredRows(createMemoryDatabase(), reportCallbacks))
  const lockManager = createLocks()
  const openTabs = new Set<SimulatedTab>()
  const closeFunctions: (() => void)[] = []

  const device: SimulatedDevice = {
    database,
    clockSkewMs: 0,
    uid: undefined,
    openTab() {
      let isTabKilled = false
      let resolveTabEnded = () => {}
      const tabEndedPromise = new Promise<void>((resolve) => {
        resolveTabEnded = resolve
      })
      const tabLocks = lockManager.forTab(() => isTabKilled)
      /** Runs an operation of the tab. The promise never settles once the tab is killed. */
      const runWhileTabAlive = async <T>(runOperation: () => Promise<T>): Promise<T> => {
        if (isTabKilled) return neverSettlingPromise
        const operationOutcome = await runOperation().then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        )
        if (isTabKilled) return neverSettlingPromise
        if ('error' in operationOutcome) throw operationOutcome.error
        return operationOutcome.value
      }
      const tabDatabase: LocalDatabase = {
        read: (readTables) => runWhileTabAlive(() => database.read(readTables)),
        onSongsChanged: database.onSongsChanged,
        watch: (readTables, observer) => {
          const stopWatching = database.watch(readTables, {
            next: (value) => !isTabKilled && observer.next(value),
            error: (error) => !isTabKilled && observer.error(error),
          })
          return stopWatching
        },
        change: (changeTables) => runWhileTabAlive(() => database.change(changeTables)),
      }
      const api = createApi({ baseUrl: '/api', fetch: (...args) => runWhileTabAlive(() => fetch(tab, ...args)) })
      const identity = {
        getSnapshot: () => (device.uid === undefined ? undefined : { uid: device.uid, email: '', emailVerified: true }),
        subscribe: () => () => {},
        token: async () => (device.uid === undefined ? undefined : createToken(device.uid)),
        loginSignal: () => new AbortController().signal,
      }
      const readTabClockMs = () => nowMs() + device.clockSkewMs
      const syncDeps = { database: tabDatabase, getSignedInUid: () => device.uid }
      const outbox = createOutbox({
        database: tabDatabase,
        api,
        identity,
        connection: { offline: false, subscribe: () => () => {} },
        syncs: [
          createChangeSync(syncDeps, syncedFavorites),
          createChangeSync(syncDeps, createSyncedPlaylists(tabDatabase, readTabClockMs)),
          createChangeSync(syncDeps, createSyncedFollows(tabDatabase, readTabClockMs)),
        ],
        onApplied: async () => {},
        page: { addEventListener: () => {}, removeEventListener: () => {}, navigator: { locks: tabLocks } },
      })
      const dataDeps = { database: tabDatabase, sendOutbox: () => {}, nowMs: readTabClockMs }
      const services = {
        favorites: createFavorites(dataDeps),
        ownPlaylists: createOwnPlaylists(dataDeps),
        follows: createFollows(dataDeps),
      }
      closeFunctions.push(outbox.close)
      const tab: SimulatedTab = {
        get isKilled() {
          return isTabKilled
        },
        whenKilled: tabEndedPromise,
        run: (operation) => runWhileTabAlive(() => operation(services)),
        sync: () => runWhileTabAlive(outbox.sync),
        kill() {
          isTabKilled = true
          openTabs.delete(tab)
          outbox.close()
          lockManager.releaseKilled()
          resolveTabEnded()
        },
      }
      openTabs.add(tab)
      return tab
    },
    readOutbox: () => database.read((tables) => tables.outbox.all()),
    close() {
      for (const close of closeFunctions) close()
    },
  }
  return device
}

/**
 * Simulates the exclusive Web Locks of one origin: requests are granted in order, and a tab that is killed loses its locks and its
 * requests.
 */
function createLocks() {
  interface LockRequest {
    callback: () => Promise<unknown>
    isKilled: () => boolean
    settle: (result: Promise<unknown>) => void
  }
  const lockQueue: LockRequest[] = []
  let lockHolder: LockRequest | undefined

  function grantNextLock() {
    if (lockHolder && !lockHolder.isKilled()) return
    const lockRequest = lockQueue.shift()
    lockHolder = undefined
    if (!lockRequest) return
    if (lockRequest.isKilled()) return grantNextLock()
    lockHolder = lockRequest
    const callbackResult = lockRequest.callback()
    lockRequest.settle(callbackResult)
    const releaseLock = () => {
      if (lockHolder !== lockRequest) return
      lockHolder = undefined
      grantNextLock()
    }
    callbackResult.then(releaseLock, releaseLock)
  }

  return {
    forTab: (isKilled: () => boolean) => ({
      request(_name: string, _options: unknown, callback: () => Promise<void>) {
        return new Promise<unknown>((resolve, reject) => {
          lockQueue.push({ callback, isKilled, settle: (result) => result.then(resolve, reject) })
          grantNextLock()
        })
      },
    }),
    releaseKilled: grantNextLock,
  }
}
