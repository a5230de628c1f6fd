/** Runs a task in its turn; `undefined` where too many wait already. */
export type BoundedQueue = <T>(task: () => Promise<T>) => Promise<T | undefined>

/** A run of at most `running` tasks at a time, with at most `waiting` behind them. */
export function createBoundedQueue(running: number, waiting: number): BoundedQueue {
  let free = running
  const queue: (() => void)[] = []
  return async (task) => {
    if (free > 0) free--
    else if (queue.length >= waiting) return undefined
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await task()
    } finally {
      const next = queue.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
