import { LRUCache } from 'lru-cache'
import { limitEntries } from '../lru-limit.ts'

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
  const timesByKey = new LRUCache<string, number[]>(limitEntries(keysMax))

  function timesInWindow(key: string): number[] {
    const startMs = nowMs() - windowMs
    return (timesByKey.peek(key) ?? []).filter((timeMs) => timeMs > startMs)
  }
  function storeTimes(key: string, attemptTimes: number[]): void {
    if (attemptTimes.length > 0) timesByKey.set(key, attemptTimes)
    else timesByKey.delete(key)
  }
  return {
    /** Returns the number of attempts in the window. */
    count: (key: string) => timesInWindow(key).length,
    /** Records an attempt and returns true, or returns false if the limit is reached. Call it before the work, so that concurrent attempts count. */
    take(key: string): boolean {
      const attemptTimes = timesInWindow(key)
      const isAllowed = attemptTimes.length < max
      if (isAllowed) attemptTimes.push(nowMs())
      storeTimes(key, attemptTimes)
      return isAllowed
    },
    /** Removes the latest attempt, for instance because the login succeeded. */
    giveBack(key: string): void {
      const attemptTimes = timesInWindow(key)
      attemptTimes.pop()
      storeTimes(key, attemptTimes)
    },
  }
}
