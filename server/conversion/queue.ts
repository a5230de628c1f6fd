import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'

/** The maximum number of conversions that run at the same time. */
export const RUNNING_CONVERSIONS_MAX = 2

/** The interval at which a request that waits for a conversion reads its state, because another process may run it. */
const STATE_READ_INTERVAL_MS = 1000

interface QueueDeps {
  /** Runs a conversion. Resolves when the conversion has ended. */
  run: (id: string) => Promise<void>
  log: Log
}

/** Creates a queue that runs at most `RUNNING_CONVERSIONS_MAX` conversions at the same time, in the order in which they were added. */
export function createConversionQueue({ run, log }: QueueDeps) {
  const waitingIds: string[] = []
  /** Emits the id of each conversion that has ended. */
  const endEmitter = new EventEmitter().setMaxListeners(0)
  const runningIds = new Set<string>()
  let isQueueClosed = false

  async function runNextConversion(): Promise<void> {
    if (isQueueClosed || runningIds.size >= RUNNING_CONVERSIONS_MAX) return
    const conversionId = waitingIds.shift()
    if (conversionId === undefined) return
    runningIds.add(conversionId)
    try {
      await run(conversionId)
    } catch (error) {
      log.error({ err: error }, 'conversion failed')
    } finally {
      runningIds.delete(conversionId)
      if (!isQueueClosed) endEmitter.emit(conversionId)
      void runNextConversion()
    }
  }

  return {
    waitingCount: () => waitingIds.length,
    runningCount: () => runningIds.size,
    /** Returns the ids of the conversions that wait or run. */
    ids: () => [...waitingIds, ...runningIds],

    add(conversionId: string): void {
      waitingIds.push(conversionId)
      void runNextConversion()
    },

    /** Removes a conversion from the queue if it is waiting, and reports its end. */
    remove(conversionId: string): void {
      const index = waitingIds.indexOf(conversionId)
      if (index >= 0) waitingIds.splice(index, 1)
      endEmitter.emit(conversionId)
    },

    /**
     * Resolves with the state of a conversion that has ended. Reads the state immediately, every second, and when the conversion ends. Listens for the end
     * before the first read, so that the end cannot be missed.
     */
    async waitForEnd<T>(conversionId: string, readState: () => Promise<T>, hasEnded: (state: T) => boolean): Promise<T> {
      const stopController = new AbortController()
      const conversionEnd = once(endEmitter, conversionId, { signal: stopController.signal }).catch(() => undefined)
      try {
        for (let isOver = false; ; ) {
          const state = await readState()
          if (isOver || hasEnded(state)) return state
          isOver = await Promise.race([conversionEnd.then(() => true), sleep(STATE_READ_INTERVAL_MS, false, { ref: false })])
        }
      } finally {
        stopController.abort()
      }
    },

    /** Closes the queue: no further conversion is started, and no further end is reported. */
    close(): void {
      isQueueClosed = true
    },
  }
}
