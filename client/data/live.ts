import type { CatalogueStore, Tables } from './store.ts'

/** Rows of the store that follow every change, from this tab or another. `undefined` until they were read once. */
export interface Live<T> {
  getSnapshot(): T | undefined
  subscribe(listener: () => void): () => void
}

/** Reads while someone listens. */
export function createLive<T>(store: CatalogueStore, read: (tables: Tables) => Promise<T>): Live<T> {
  const listeners = new Set<() => void>()
  let value: T | undefined
  let stop: (() => void) | undefined
  return {
    getSnapshot: () => value,
    subscribe(listener) {
      listeners.add(listener)
      stop ??= store.watch(read, {
        next(rows) {
          value = rows
          for (const each of [...listeners]) each()
        },
        error() {
          // What was read last stays.
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
