/**
 * Returns a function that runs `runWork`; calls made while it runs share its promise. A call after the promise has settled runs `runWork` again.
 */
export function singleFlight<T>(runWork: () => Promise<T>): () => Promise<T> {
  let runningPromise: Promise<T> | undefined
  return () => {
    runningPromise ??= runWork().finally(() => {
      runningPromise = undefined
    })
    return runningPromise
  }
}

/** Returns a function that runs `loadValue` once and shares its promise with every caller. After a failure, the next call runs `loadValue` again. */
export function loadOnce<T>(loadValue: () => Promise<T>): () => Promise<T> {
  let loadPromise: Promise<T> | undefined
  return () => {
    loadPromise ??= loadValue().catch((error: unknown) => {
      loadPromise = undefined
      throw error
    })
    return loadPromise
  }
}
