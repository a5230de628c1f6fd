export interface Emitter<T = void> {
  /** Calls `listener` with each value emitted from now on. Returns the function that unsubscribes it. */
  subscribe(listener: (value: T) => void): () => void
  /** Calls all subscribed listeners with `value`, in the order of their subscription. An error of a listener is thrown to the caller. */
  emit(value: T): void
  readonly listenerCount: number
}

export function createEmitter<T = void>(): Emitter<T> {
  const listeners = new Set<(value: T) => void>()
  return {
    subscribe(listener) {
      // Each subscription has a wrapper of its own, so that one function subscribed twice is called twice and unsubscribed once.
      const callListener = (value: T) => listener(value)
      listeners.add(callListener)
      return () => {
        listeners.delete(callListener)
      }
    },
    emit(value) {
      for (const listener of [...listeners]) if (listeners.has(listener)) listener(value)
    },
    get listenerCount() {
      return listeners.size
    },
  }
}
