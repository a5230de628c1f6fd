import { createEmitter } from '../primitives/emitter.ts'
import { singleFlight } from '../primitives/single-flight.ts'
import type { DatabaseHealth, DeviceDatabase, LocalDatabase } from './local-database.ts'
import { createMemoryDatabase, type MemoryDatabase } from './memory-database.ts'

export type DiskHealth = 'persistent' | 'restarted'
export type NonPersistentHealth = Exclude<DatabaseHealth, DiskHealth>

/** The result of opening the database on disk. */
export type DatabaseOpenResult =
  | {
      kind: 'open'
      disk: LocalDatabase
      health: DiskHealth
      /** Calls `listener` when the database on disk fails; `readable` reads the rows that are still available. */
      onLost?(listener: (health: NonPersistentHealth, readable?: LocalDatabase) => void): void
    }
  | { kind: 'refused'; health: NonPersistentHealth; readable?: LocalDatabase }

interface OpenDatabaseState {
  kind: 'open'
  database: LocalDatabase
  health: DiskHealth
}
/** Rows are written to memory. `disk` is the database that refused a write. */
interface RefusedDatabaseState {
  kind: 'refused'
  database: MemoryDatabase
  health: NonPersistentHealth
  disk?: LocalDatabase
}
type DatabaseState = { kind: 'opening' } | OpenDatabaseState | RefusedDatabaseState

/**
 * The local database as a state machine. `opening`: reads and writes wait. `open`: rows are on disk. `refused`: rows are written to memory.
 * Reads return the rows in memory, and for all other keys the rows that can still be read from the disk. A write that exceeds the quota is
 * tried once more after space was freed.
 */
export function createDeviceDatabase(openingResult: DatabaseOpenResult | Promise<DatabaseOpenResult>): DeviceDatabase {
  let databaseState: DatabaseState = { kind: 'opening' }
  let freeSpace: ((disk: LocalDatabase) => Promise<void>) | undefined
  let unsubscribeSongs = () => {}
  const stateChanged = createEmitter()
  const healthChanged = createEmitter()
  const rowsWritten = createEmitter()
  const songsChanged = createEmitter<readonly string[] | undefined>()

  const getHealth = () => (databaseState.kind === 'opening' ? 'persistent' : databaseState.health)

  function enterState<S extends OpenDatabaseState | RefusedDatabaseState>(newState: S): S {
    const healthBefore = getHealth()
    unsubscribeSongs()
    databaseState = newState
    unsubscribeSongs = newState.database.onSongsChanged(songsChanged.emit)
    stateChanged.emit()
    songsChanged.emit(undefined)
    if (getHealth() !== healthBefore) healthChanged.emit()
    return newState
  }

  function enterRefusedState(from: OpenDatabaseState, next: NonPersistentHealth, readable = from.database) {
    if (databaseState === from) enterState({ kind: 'refused', database: createMemoryDatabase(readable), health: next, disk: from.database })
  }

  function settleOpening(result: DatabaseOpenResult): OpenDatabaseState | RefusedDatabaseState {
    if (result.kind === 'refused')
      return enterState({ kind: 'refused', database: createMemoryDatabase(result.readable), health: result.health })
    const openState = enterState({ kind: 'open', database: result.disk, health: result.health })
    result.onLost?.((next, readable) => {
      if (databaseState.kind === 'open') enterRefusedState(databaseState, next, readable)
    })
    return openState
  }

  const settlingState =
    openingResult instanceof Promise
      ? openingResult.then(settleOpening, () => settleOpening({ kind: 'refused', health: 'refused' }))
      : settleOpening(openingResult)
  const waitForSettledState = async () => (databaseState.kind === 'opening' ? settlingState : databaseState)

  const freeSpaceOnce = singleFlight(async () => {
    if (!freeSpace || databaseState.kind !== 'open') throw new Error('No space can be freed.')
    await freeSpace(databaseState.database)
  })

  const retryWithSpace = (diskDatabase: LocalDatabase, transaction: Parameters<LocalDatabase['change']>[0]): Promise<boolean> =>
    hasSucceeded(freeSpaceOnce().then(() => diskDatabase.change(transaction)))

  async function change(changeRows: Parameters<LocalDatabase['change']>[0]): Promise<void> {
    const stateBefore = await waitForSettledState()
    if (stateBefore.kind === 'refused') {
      let isRecovered = false
      await stateBefore.database.change(async (tables) => {
        isRecovered = databaseState !== stateBefore
        if (!isRecovered) await changeRows(tables)
      })
      // The change has waited for `recover`, after which rows are written to the disk.
      return isRecovered ? change(changeRows) : undefined
    }
    try {
      await stateBefore.database.change(changeRows)
    } catch (error) {
      // A TypeError or RangeError is a bug in the code of the transaction, not a failure of the database.
      if (error instanceof TypeError || error instanceof RangeError) throw error
      const isDiskFull = isQuotaError(error)
      if (isDiskFull && (await retryWithSpace(stateBefore.database, changeRows))) return
      if (!isDiskFull && isLostConnection(error) && (await hasSucceeded(stateBefore.database.change(changeRows)))) {
        rowsWritten.emit()
        return
      }
      enterRefusedState(stateBefore, isDiskFull ? 'full' : 'refused')
      return change(changeRows)
    }
    rowsWritten.emit()
  }

  return {
    get health() {
      return getHealth()
    },
    onHealth: healthChanged.subscribe,
    setFreeSpace(freeDiskSpace) {
      freeSpace = freeDiskSpace
    },
    onWritten: rowsWritten.subscribe,
    onSongsChanged: songsChanged.subscribe,

    async read(readRows) {
      const stateAtStart = await waitForSettledState()
      try {
        return await stateAtStart.database.read(readRows)
      } catch (error) {
        if (stateAtStart.kind !== 'open') throw error
        try {
          if (isLostConnection(error)) return await stateAtStart.database.read(readRows)
        } catch {
          // The second read has failed, too: the database is given up below.
        }
        enterRefusedState(stateAtStart, 'refused')
        return (await waitForSettledState()).database.read(readRows)
      }
    },

    watch(readRows, observer) {
      let hasAnyRows = false
      let stopWatching = () => {}
      const watchDatabase = () => {
        stopWatching()
        const watchedState = databaseState
        if (watchedState.kind === 'opening') return
        stopWatching = watchedState.database.watch(readRows, {
          next(readResult) {
            // After a newer version has upgraded the database, rows are read from the upgraded database. Rows that are on screen stay
            // there, even if that database does not have them.
            if (readResult === undefined && hasAnyRows && getHealth() === 'outdated') return
            hasAnyRows ||= readResult !== undefined
            observer.next(readResult)
          },
          error(error) {
            if (watchedState.kind === 'open' && watchedState === databaseState) enterRefusedState(watchedState, 'refused')
            else observer.error(error)
          },
        })
      }
      const unsubscribe = stateChanged.subscribe(watchDatabase)
      watchDatabase()
      return () => {
        unsubscribe()
        stopWatching()
      }
    },

    change,

    async recover() {
      const stateBefore = await waitForSettledState()
      if (stateBefore.kind !== 'refused' || stateBefore.health !== 'full' || !stateBefore.disk) return
      const { database: memory, disk } = stateBefore
      try {
        // This is a transaction of the database in memory, so that no change is written there until the disk has its rows.
        await memory.change(async () => {
          if (databaseState !== stateBefore) return
          await disk.change(memory.replay)
          enterState({ kind: 'open', database: disk, health: 'persistent' })
        })
      } catch {
        // The retry failed because the disk is still full: rows stay in memory.
      }
    },
  }
}

/**
 * The errors of a transaction whose connection to the database the browser has closed, as iOS does in the background. The transaction succeeds once
 * the database is open again.
 */
const lostConnectionErrors = new Set(['AbortError', 'DatabaseClosedError', 'InvalidStateError', 'UnknownError'])
const isLostConnection = (error: unknown): boolean => error instanceof Error && lostConnectionErrors.has(error.name)

const hasSucceeded = (workPromise: Promise<unknown>): Promise<boolean> =>
  workPromise.then(
    () => true,
    () => false,
  )

/** Whether a write exceeded the quota. Dexie wraps the cause in the error of the transaction. */
export function isQuotaError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  if ('name' in error && error.name === 'QuotaExceededError') return true
  return 'inner' in error && error.inner !== error && isQuotaError(error.inner)
}
