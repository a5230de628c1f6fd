import { useSyncExternalStore } from 'react'

interface LiveQuerySource<T> {
  subscribe(listener: () => void): () => void
  getSnapshot(): T
}

const subscribeToNothing = () => () => {}
const getNoSnapshot = () => undefined

/** Returns the current snapshot of `source` and renders again when it changes. `undefined` without a source, and while the page hydrates. */
export function useLiveQuery<T>(source: LiveQuerySource<T> | undefined): T | undefined {
  return useSyncExternalStore<T | undefined>(source?.subscribe ?? subscribeToNothing, source?.getSnapshot ?? getNoSnapshot, getNoSnapshot)
}
