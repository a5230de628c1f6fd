import type { LocalDatabase, Tables } from './local-database.ts'

/** A database query whose result is updated on every change from this tab or another. `undefined` until the first read. */
export interface LiveQuery<T> {
  getSnapshot(): T | undefined
  subscribe(listener: () => void): () => void
}

/** Creates a live query, which watches the database while there are subscribers. */
export function createLiveQuery<T>(database: LocalDatabase, read: (tables: Tables) => Promise<T>): LiveQuery<T> {
  const listeners = new Set<() => void>()
  let value: T | undefined
  let stop: (() => void) | undefined
  return {
    getSnapshot: () => value,
    subscribe(listener) {
      listeners.add(listener)
      stop ??= database.watch(read, {
        next(rows) {
          value = rows
          for (const each of [...listeners]) each()
        },
        error() {
          // If a read fails, the result of the last read stays.
        },
      })
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop?.()
        stop = undefined
      }
    },
  }
}
