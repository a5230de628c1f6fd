import { createEmitter } from '../primitives/emitter.ts'
import type { LocalDatabase, Table, Tables } from './local-database.ts'
import { createTables, recordSongWrites } from './tables.ts'

export interface MemoryDatabase extends LocalDatabase {
  /** Repeats all writes and removals in the tables of another database. */
  replay(otherTables: Tables): Promise<void>
}

/** Creates a database in memory. Rows that were neither written to nor removed from the created database are read from `baseDatabase`. */
export function createMemoryDatabase(baseDatabase?: LocalDatabase): MemoryDatabase {
  const changeEmitter = createEmitter()
  const songsChanged = createEmitter<readonly string[]>()
  const replayTables: ((otherTables: Tables) => Promise<void>)[] = []
  const tables = createTables((name, keyOf) => {
    const { table, replay } = createMemoryTable(keyOf, baseDatabase, (baseTables) => baseTables[name])
    replayTables.push(replay)
    return table
  })
  let transactionQueue: Promise<void> = Promise.resolve()

  return {
    read: (read) => read(tables),
    watch(readRows, observer) {
      let latestRunNumber = 0
      const rerunQuery = () => {
        const runNumber = ++latestRunNumber
        readRows(tables).then(
          (value) => runNumber === latestRunNumber && observer.next(value),
          (error: unknown) => runNumber === latestRunNumber && observer.error(error),
        )
      }
      const unsubscribe = changeEmitter.subscribe(rerunQuery)
      rerunQuery()
      return () => {
        latestRunNumber = -1
        unsubscribe()
      }
    },
    change(runTransaction) {
      const changedSongIds = new Set<string>()
      const transactionPromise = transactionQueue.then(() => runTransaction(recordSongWrites(tables, changedSongIds)))
      transactionQueue = transactionPromise.then(
        () => undefined,
        () => undefined,
      )
      return transactionPromise.then(() => {
        changeEmitter.emit()
        if (changedSongIds.size > 0) songsChanged.emit([...changedSongIds])
      })
    },
    onSongsChanged(listener) {
      const unsubscribe = songsChanged.subscribe(listener)
      const unsubscribeBase = baseDatabase?.onSongsChanged(listener)
      return () => {
        unsubscribe()
        unsubscribeBase?.()
      }
    },
    async replay(otherTables) {
      for (const replayTable of replayTables) await replayTable(otherTables)
    },
  }
}

function createMemoryTable<T>(
  keyOf: (row: T) => string,
  baseDatabase: LocalDatabase | undefined,
  selectTable: (tables: Tables) => Table<T>,
): { table: Table<T>; replay: MemoryDatabase['replay'] } {
  const rowsByKey = new Map<string, T>()
  const removedKeys = new Set<string>()
  const isBaseKey = (key: string) => !rowsByKey.has(key) && !removedKeys.has(key)
  const isBaseRow = (row: T) => isBaseKey(keyOf(row))
  const readBaseTable = async <R>(readTable: (table: Table<T>) => Promise<R>, fallback: R): Promise<R> => {
    if (!baseDatabase) return fallback
    return baseDatabase.read((tables) => readTable(selectTable(tables))).catch(() => fallback)
  }
  const table: Table<T> = {
    keyOf,
    async get(key) {
      return rowsByKey.get(key) ?? (removedKeys.has(key) ? undefined : readBaseTable((table) => table.get(key), undefined))
    },
    async getMany(rowKeys) {
      const missingKeys = rowKeys.filter(isBaseKey)
      const baseRows = missingKeys.length > 0 ? await readBaseTable((table) => table.getMany(missingKeys), []) : []
      const baseRowsByKey = new Map(missingKeys.map((key, index) => [key, baseRows[index]]))
      return rowKeys.map((key) => rowsByKey.get(key) ?? baseRowsByKey.get(key))
    },
    async all() {
      const baseRows = await readBaseTable((table) => table.all(), [])
      return [...baseRows.filter(isBaseRow), ...rowsByKey.values()]
    },
    async page(afterKey, rowLimit) {
      const baseRows = await readBaseTable((table) => table.page(afterKey, rowLimit + removedKeys.size), [])
      const ownRows = [...rowsByKey].filter(([key]) => key > afterKey).map(([, row]) => row)
      const allRows = [...baseRows.filter(isBaseRow), ...ownRows]
      return allRows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).slice(0, rowLimit)
    },
    async keys() {
      const baseRows = await readBaseTable((table) => table.keys(), [])
      return [...baseRows.filter(isBaseKey), ...rowsByKey.keys()]
    },
    async count() {
      return baseDatabase ? (await this.keys()).length : rowsByKey.size
    },
    async put(writtenRows) {
      for (const row of writtenRows) {
        rowsByKey.set(keyOf(row), row)
        removedKeys.delete(keyOf(row))
      }
    },
    async remove(rowKeys) {
      for (const key of rowKeys) {
        rowsByKey.delete(key)
        removedKeys.add(key)
      }
    },
  }
  return {
    table,
    async replay(otherTables) {
      const otherTable = selectTable(otherTables)
      await otherTable.remove([...removedKeys])
      await otherTable.put([...rowsByKey.values()])
    },
  }
}
