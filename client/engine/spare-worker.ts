/** Holds one worker that is started before it is needed, because a worker loads its modules for some ten milliseconds. */
export interface SpareWorker {
  /** Starts the spare worker unless there is one. */
  prepare(): void
  /** Returns the spare worker, or a new one. The caller terminates it. */
  take(): Worker
  dispose(): void
}

export function createSpareWorker(startWorker: () => Worker): SpareWorker {
  let spareWorker: Worker | undefined

  return {
    prepare() {
      if (spareWorker !== undefined) return
      const worker = startWorker()
      spareWorker = worker
      worker.onerror = (event) => {
        // A worker that could not be loaded is dropped. The one that is taken later reports the error.
        event.preventDefault()
        if (spareWorker === worker) spareWorker = undefined
      }
    },
    take() {
      const worker = spareWorker ?? startWorker()
      spareWorker = undefined
      return worker
    },
    dispose() {
      spareWorker?.terminate()
      spareWorker = undefined
    },
  }
}
