import { createEmitter } from '../primitives/emitter.ts'
import type { LocalDatabase, Table, Tables } from './local-database.ts'
import { createTables, recordSongWrites } from './tables.ts'

/** Creates a database in memory. Rows that were neither written to nor removed from the created database are read from `baseDatabase`. */
export function createMemoryDatabase(baseDatabase?: LocalDatabase): LocalDatabase {
  const changes = createEmitter()
  const songsChanged = createEmitter<readonly string[]>()
  const tables = createTables((name, keyOf) => memoryTable(keyOf, baseDatabase, (baseTables) => baseTables[name]))
  let queue: Promise<void> = Promise.resolve()

  return {
    read: (read) => read(tables),
    watch(read, observer) {
      let latestRun = 0
      const rerunQuery = () => {
        const runNumber = ++latestRun
        read(tables).then(
          (value) => runNumber === latestRun && observer.next(value),
          (error: unknown) => runNumber === latestRun && observer.error(error),
        )
      }
      const unsubscribe = changes.subscribe(rerunQuery)
      rerunQuery()
      return () => {
        latestRun = -1
        unsubscribe()
      }
    },
    change(runTransaction) {
      const changedSongIds = new Set<string>()
      const transaction = queue.then(() => runTransaction(recordSongWrites(tables, changedSongIds)))
      queue = transaction.then(
        () => undefined,
        () => undefined,
      )
      return transaction.then(() => {
        changes.emit()
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
  }
}

function memoryTable<T>(keyOf: (row: T) => string, baseDatabase: LocalDatabase | undefined, pick: (tables: Tables) => Table<T>): Table<T> {
  const rowsByKey = new Map<string, T>()
  const removedKeys = new Set<string>()
  const readBase = async <R>(read: (table: Table<T>) => Promise<R>, fallback: R): Promise<R> => {
    if (!baseDatabase) return fallback
    return baseDatabase.read((tables) => read(pick(tables))).catch(() => fallback)
  }
  return {
    keyOf,
    async get(key) {
      return rowsByKey.get(key) ?? (removedKeys.has(key) ? undefined : readBase((table) => table.get(key), undefined))
    },
    async getMany(keys) {
      const missingKeys = keys.filter((key) => !rowsByKey.has(key) && !removedKeys.has(key))
      const baseRows = missingKeys.length > 0 ? await readBase((table) => table.getMany(missingKeys), []) : []
      const baseRowsByKey = new Map(missingKeys.map((key, index) => [key, baseRows[index]]))
      return keys.map((key) => rowsByKey.get(key) ?? baseRowsByKey.get(key))
    },
    async all() {
      const baseRows = await readBase((table) => table.all(), [])
      return [...baseRows.filter((row) => !rowsByKey.has(keyOf(row)) && !removedKeys.has(keyOf(row))), ...rowsByKey.values()]
    },
    async page(afterKey, limit) {
      const baseRows = await readBase((table) => table.page(afterKey, limit + removedKeys.size), [])
      const ownRows = [...rowsByKey].filter(([key]) => key > afterKey).map(([, row]) => row)
      const allRows = [...baseRows.filter((row) => !rowsByKey.has(keyOf(row)) && !removedKeys.has(keyOf(row))), ...ownRows]
      return allRows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).slice(0, limit)
    },
    async keys() {
      const baseRows = await readBase((table) => table.keys(), [])
      return [...baseRows.filter((key) => !rowsByKey.has(key) && !removedKeys.has(key)), ...rowsByKey.keys()]
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
    async remove(keys) {
      for (const key of keys) {
        rowsByKey.delete(key)
        removedKeys.add(key)
      }
    },
  }
}
