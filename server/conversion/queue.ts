import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'

/** The maximum number of conversions that run at the same time. */
export const RUNNING_CONVERSIONS_MAX = 2

/** The interval at which a request that waits for a conversion reads its state, because another process may run it. */
const REREAD_MS = 1000

interface QueueDeps {
  /** Runs a conversion. Resolves when the conversion has ended. */
  run: (id: string) => Promise<void>
  log: Log
}

/** Creates a queue that runs at most `RUNNING_CONVERSIONS_MAX` conversions at the same time, in the order in which they were added. */
export function createConversionQueue({ run, log }: QueueDeps) {
  const waitingIds: string[] = []
  /** Emits the id of each conversion that has ended. */
  const ends = new EventEmitter().setMaxListeners(0)
  const running = new Set<string>()
  let isClosed = false

  async function runNext(): Promise<void> {
    if (isClosed || running.size >= RUNNING_CONVERSIONS_MAX) return
    const id = waitingIds.shift()
    if (id === undefined) return
    running.add(id)
    try {
      await run(id)
    } catch (error) {
      log.error({ err: error }, 'conversion failed')
    } finally {
      running.delete(id)
      if (!isClosed) ends.emit(id)
      void runNext()
    }
  }

  return {
    waitingCount: () => waitingIds.length,
    runningCount: () => running.size,
    /** Returns the ids of the conversions that wait or run. */
    ids: () => [...waitingIds, ...running],

    add(id: string): void {
      waitingIds.push(id)
      void runNext()
    },

    /** Removes a conversion from the queue if it is waiting, and reports its end. */
    remove(id: string): void {
      const index = waitingIds.indexOf(id)
      if (index >= 0) waitingIds.splice(index, 1)
      ends.emit(id)
    },

    /**
     * Resolves with the state of a conversion that has ended. Reads the state immediately, every second, and when the conversion ends. Listens for the end
     * before the first read, so that the end cannot be missed.
     */
    async waitForEnd<T>(id: string, readState: () => Promise<T>, hasEnded: (state: T) => boolean): Promise<T> {
      const stopController = new AbortController()
      const conversionEnd = once(ends, id, { signal: stopController.signal }).catch(() => undefined)
      try {
        for (let isOver = false; ; ) {
          const state = await readState()
          if (isOver || hasEnded(state)) return state
          isOver = await Promise.race([conversionEnd.then(() => true), sleep(REREAD_MS, false, { ref: false })])
        }
      } finally {
        stopController.abort()
      }
    },

    /** Closes the queue: no further conversion is started, and no further end is reported. */
    close(): void {
      isClosed = true
    },
  }
}
