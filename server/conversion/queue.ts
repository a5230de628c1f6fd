import { EventEmitter, once } from 'node:events'
import type { Log } from '../log.ts'

/** The maximum number of conversions that run at once. */
export const RUNNING_CONVERSIONS_MAX = 2

interface QueueDeps {
  /** Runs a conversion. Resolves when the conversion has ended. */
  run: (id: string) => Promise<void>
  log: Log
}

/** Creates a queue that runs at most `RUNNING_CONVERSIONS_MAX` conversions at once, in the order in which they were added. */
export function createConversionQueue({ run, log }: QueueDeps) {
  const waiting: string[] = []
  /** Emits the id of each conversion that has ended. */
  const ends = new EventEmitter().setMaxListeners(0)
  let activeCount = 0
  let isClosed = false

  async function runNext(): Promise<void> {
    if (isClosed || activeCount >= RUNNING_CONVERSIONS_MAX) return
    const id = waiting.shift()
    if (id === undefined) return
    activeCount++
    try {
      await run(id)
    } catch (error) {
      log.error({ err: error }, 'conversion failed')
    } finally {
      activeCount--
      if (!isClosed) ends.emit(id)
      void runNext()
    }
  }

  return {
    waitingCount: () => waiting.length,
    runningCount: () => activeCount,

    add(id: string): void {
      waiting.push(id)
      void runNext()
    },

    /** Removes a conversion from the queue if it is waiting, and reports its end. */
    remove(id: string): void {
      const index = waiting.indexOf(id)
      if (index >= 0) waiting.splice(index, 1)
      ends.emit(id)
    },

    /**
     * Resolves with the state of a conversion that has ended. Reads the state immediately, and again when the conversion ends. Listens for the end
     * before the first read, so that the end cannot be missed.
     */
    async waitForEnd<T>(id: string, read: () => Promise<T>, hasEnded: (state: T) => boolean): Promise<T> {
      const stopping = new AbortController()
      const ended = once(ends, id, { signal: stopping.signal }).catch(() => undefined)
      try {
        const state = await read()
        if (hasEnded(state)) return state
        await ended
        return await read()
      } finally {
        stopping.abort()
      }
    },

    /** Closes the queue: no further conversion is started, and no further end is reported. */
    close(): void {
      isClosed = true
    },
  }
}
