import type { LocalDatabase, Tables } from './local-database.ts'

/** A database query whose result is updated on every change from this tab or another. `undefined` until the first read. */
export interface LiveQuery<T> {
  getSnapshot(): T | undefined
  subscribe(listener: () => void): () => void
}

/** Creates a live query, which watches the database while there are subscribers. */
export function createLiveQuery<T>(database: LocalDatabase, readValue: (tables: Tables) => Promise<T>): LiveQuery<T> {
  const listeners = new Set<() => void>()
  let queryValue: T | undefined
  let stopWatching: (() => void) | undefined
  return {
    getSnapshot: () => queryValue,
    subscribe(listener) {
      listeners.add(listener)
      stopWatching ??= database.watch(readValue, {
        next(queryRows) {
          queryValue = queryRows
          for (const each of [...listeners]) each()
        },
        error() {
          // If a read fails, the result of the last read stays.
        },
      })
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stopWatching?.()
        stopWatching = undefined
      }
    },
  }
}
