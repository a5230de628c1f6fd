import { LRUCache } from 'lru-cache'
import { createEntryLimit } from '../lru-limit.ts'

interface SlidingWindowOptions {
  windowMs: number
  /** The allowed number of attempts per key and window. */
  max: number
  nowMs: () => number
  /** The maximum number of keys in memory; the least recently used ones are evicted. */
  keysMax?: number
}

/**
 * Creates a rate limiter that counts attempts by key in a sliding window, in bounded memory. rate-limiter-flexible does not fit: its memory
 * store has fixed windows, an unbounded number of keys, and the system clock.
 */
export function createSlidingWindow({ windowMs, max, nowMs, keysMax = 50_000 }: SlidingWindowOptions) {
  const timesByKey = new LRUCache<string, number[]>(createEntryLimit(keysMax))

  function listTimesInWindow(limitKey: string): number[] {
    const startMs = nowMs() - windowMs
    return (timesByKey.peek(limitKey) ?? []).filter((timeMs) => timeMs > startMs)
  }
  function storeTimes(limitKey: string, attemptTimes: number[]): void {
    if (attemptTimes.length > 0) timesByKey.set(limitKey, attemptTimes)
    else timesByKey.delete(limitKey)
  }
  return {
    /** Returns the number of attempts in the window. */
    count: (key: string) => listTimesInWindow(key).length,
    /** Records an attempt and returns true, or returns false if the limit is reached. Call it before the work, so that concurrent attempts count. */
    take(limitKey: string): boolean {
      const attemptTimes = listTimesInWindow(limitKey)
      const isAttemptAllowed = attemptTimes.length < max
      if (isAttemptAllowed) attemptTimes.push(nowMs())
      storeTimes(limitKey, attemptTimes)
      return isAttemptAllowed
    },
    /** Removes the latest attempt, for instance because the login succeeded. */
    giveBack(limitKey: string): void {
      const attemptTimes = listTimesInWindow(limitKey)
      attemptTimes.pop()
      storeTimes(limitKey, attemptTimes)
    },
  }
}
