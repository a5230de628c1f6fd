/** Holds one worker that is started before it is needed, because a new worker spends some ten milliseconds on loading its modules. */
export function createSpareWorker(startWorker: () => Worker) {
  let spareWorker: Worker | undefined

  return {
    /** Starts the spare worker unless there is one. */
    prepare() {
      if (spareWorker !== undefined) return
      const worker = startWorker()
      spareWorker = worker
      worker.onerror = (event) => {
        // A worker that could not be loaded is dropped. The new worker that `take` starts later reports the error.
        event.preventDefault()
        if (spareWorker === worker) spareWorker = undefined
      }
    },
    /** Returns the spare worker, or a new one. The caller terminates it. */
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

export type SpareWorker = ReturnType<typeof createSpareWorker>
