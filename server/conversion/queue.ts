import { EventEmitter, once } from 'node:events'
import type { Log } from '../log.ts'

/** The number of conversions that run at once; the others wait. */
export const RUNNING_MAX = 2

interface QueueDeps {
  /** Runs a conversion. Resolves when it has ended. */
  run: (id: string) => Promise<void>
  log: Log
}

/** The conversions that wait for one of `RUNNING_MAX` places, first come, first served. */
export function createConversionQueue({ run, log }: QueueDeps) {
  const waiting: string[] = []
  /** Emits the id of each conversion that has ended. */
  const ends = new EventEmitter().setMaxListeners(0)
  let activeCount = 0
  let isClosed = false

  async function runNext(): Promise<void> {
    if (isClosed || activeCount >= RUNNING_MAX) return
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

    add(id: string): void {
      waiting.push(id)
      void runNext()
    },

    /** Ends a conversion that waits. */
    remove(id: string): void {
      const index = waiting.indexOf(id)
      if (index >= 0) waiting.splice(index, 1)
      ends.emit(id)
    },

    /** Reads a conversion until `hasEnded`: at once, and again at its end. Listens before it reads, so that no end is missed. */
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

    /** Starts no further conversion, and reports no further end. */
    close(): void {
      isClosed = true
    },
  }
}
