/** A run of at most `running` tasks at a time; `undefined` where too many wait already. */
export function createBoundedQueue(running: number, waiting: number) {
  let free = running
  const queue: (() => void)[] = []
  return async <T>(task: () => Promise<T>): Promise<T | undefined> => {
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
