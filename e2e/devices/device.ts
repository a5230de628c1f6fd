import { createChangeSync } from '../../client/data/change-sync.ts'
import { readFavoriteIds } from '../../client/data/favorite-rows.ts'
import { syncedFavorites } from '../../client/data/favorite-sync.ts'
import type { FavoriteEdit } from '../../client/data/favorites.ts'
import { createFavorites } from '../../client/data/favorites.ts'
import type { LocalDatabase } from '../../client/data/local-database.ts'
import { createMemoryDatabase } from '../../client/data/memory-database.ts'
import { createOutbox } from '../../client/data/outbox.ts'
import { createApi } from '../../client/platform/api.ts'

/** A browser tab of a simulated device. It runs the client's own code for favorites. */
export interface SimulatedTab {
  /** Adds or removes favorites. The promise resolves once the edits are stored, and never if the tab is killed meanwhile. */
  edit(edits: readonly FavoriteEdit[]): Promise<void>
  /** Syncs the favorites with the server. If the tab is killed meanwhile, the promise never resolves. */
  sync(): Promise<void>
  /** Ends the tab at once, as a browser does when memory is short: pending operations are abandoned, and the tab's locks are released. */
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
  uid: string | undefined
  openTab(): SimulatedTab
  readFavorites(uid: string): Promise<string[]>
  /** Returns the ids of the favorite changes that are still in the outbox. */
  readUnsentIds(): Promise<string[]>
  close(): void
}

export interface SimulatedDeviceOptions {
  nowMs: () => number
  createToken: (uid: string) => Promise<string>
  /** Sends a request of a tab over the simulated network. */
  fetch: (tab: SimulatedTab, ...args: Parameters<typeof globalThis.fetch>) => Promise<Response>
  /** Wraps the database so that it has a planted defect. */
  wrapDatabase?: (database: LocalDatabase) => LocalDatabase
}

const neverSettles = new Promise<never>(() => {})

export function createSimulatedDevice({
  nowMs,
  createToken,
  fetch,
  wrapDatabase = (database) => database,
}: SimulatedDeviceOptions): SimulatedDevice {
  const database = wrapDatabase(createMemoryDatabase())
  const locks = createLocks()
  const tabs = new Set<SimulatedTab>()
  const closeFunctions: (() => void)[] = []

  const device: SimulatedDevice = {
    database,
    clockSkewMs: 0,
    uid: undefined,
    openTab() {
      let isTabKilled = false
      let resolveEnded = () => {}
      const tabEnded = new Promise<void>((resolve) => {
        resolveEnded = resolve
      })
      const tabLocks = locks.forTab(() => isTabKilled)
      /** Runs an operation of the tab. The promise never settles once the tab is killed. */
      const whileAlive = async <T>(operation: () => Promise<T>): Promise<T> => {
        if (isTabKilled) return neverSettles
        const result = await operation().then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        )
        if (isTabKilled) return neverSettles
        if ('error' in result) throw result.error
        return result.value
      }
      const tabDatabase: LocalDatabase = {
        read: (readTables) => whileAlive(() => database.read(readTables)),
        onSongsChanged: database.onSongsChanged,
        watch: (readTables, observer) => {
          const stop = database.watch(readTables, {
            next: (value) => !isTabKilled && observer.next(value),
            error: (error) => !isTabKilled && observer.error(error),
          })
          return stop
        },
        change: (changeTables) => whileAlive(() => database.change(changeTables)),
      }
      const api = createApi({ baseUrl: '/api', fetch: (...args) => whileAlive(() => fetch(tab, ...args)) })
      const identity = {
        getSnapshot: () => (device.uid === undefined ? undefined : { uid: device.uid, email: '', emailVerified: true }),
        subscribe: () => () => {},
        token: async () => (device.uid === undefined ? undefined : createToken(device.uid)),
        loginSignal: () => new AbortController().signal,
      }
      const outbox = createOutbox({
        database: tabDatabase,
        api,
        identity,
        connection: { offline: false, subscribe: () => () => {} },
        syncs: [createChangeSync({ database: tabDatabase, getSignedInUid: () => device.uid }, syncedFavorites)],
        onApplied: async () => {},
        page: { addEventListener: () => {}, removeEventListener: () => {}, navigator: { locks: tabLocks } },
      })
      const favorites = createFavorites({ database: tabDatabase, sendOutbox: () => {}, nowMs: () => nowMs() + device.clockSkewMs })
      closeFunctions.push(outbox.close)
      const tab: SimulatedTab = {
        get isKilled() {
          return isTabKilled
        },
        whenKilled: tabEnded,
        edit: (edits) => whileAlive(() => favorites.edit(device.uid ?? '', edits)),
        sync: () => whileAlive(outbox.sync),
        kill() {
          isTabKilled = true
          tabs.delete(tab)
          outbox.close()
          locks.releaseKilled()
          resolveEnded()
        },
      }
      tabs.add(tab)
      return tab
    },
    readFavorites: async (uid) => (await database.read((tables) => readFavoriteIds(tables, uid))) ?? [],
    readUnsentIds: async () =>
      (await database.read((tables) => tables.outbox.all())).filter(({ state }) => state === 'waiting').map(({ id }) => id),
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
  const queue: LockRequest[] = []
  let lockHolder: LockRequest | undefined

  function grantNext() {
    if (lockHolder && !lockHolder.isKilled()) return
    const request = queue.shift()
    lockHolder = undefined
    if (!request) return
    if (request.isKilled()) return grantNext()
    lockHolder = request
    const result = request.callback()
    request.settle(result)
    const releaseLock = () => {
      if (lockHolder !== request) return
      lockHolder = undefined
      grantNext()
    }
    result.then(releaseLock, releaseLock)
  }

  return {
    forTab: (isKilled: () => boolean) => ({
      request(_name: string, _options: unknown, callback: () => Promise<void>) {
        return new Promise<unknown>((resolve, reject) => {
          queue.push({ callback, isKilled, settle: (result) => result.then(resolve, reject) })
          grantNext()
        })
      },
    }),
    releaseKilled: grantNext,
  }
}
