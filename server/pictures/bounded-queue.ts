import pLimit from 'p-limit'

/** Runs a task when a slot is free; resolves to `undefined` without running it if the queue is full. */
export type BoundedQueue = <T>(task: () => Promise<T>) => Promise<T | undefined>

/** Creates a queue that runs at most `concurrency` tasks at once and holds at most `pendingMax` further ones. */
export function createBoundedQueue(concurrency: number, pendingMax: number): BoundedQueue {
  const limit = pLimit(concurrency)
  return async (task) => (limit.activeCount + limit.pendingCount >= concurrency + pendingMax ? undefined : limit(task))
}
