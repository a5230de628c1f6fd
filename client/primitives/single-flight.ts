/**
 * Returns a function that runs `work`; calls made while it runs share its promise. A call after the promise has settled runs `work` again.
 */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let runningPromise: Promise<T> | undefined
  return () => {
    runningPromise ??= work().finally(() => {
      runningPromise = undefined
    })
    return runningPromise
  }
}

/** Returns a function that runs `load` once and shares its promise with every caller. After a failure, the next call runs `load` again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loadPromise: Promise<T> | undefined
  return () => {
    loadPromise ??= load().catch((error: unknown) => {
      loadPromise = undefined
      throw error
    })
    return loadPromise
  }
}
