import { LRUCache } from 'lru-cache'
import { createEntryLimit } from '../lru-limit.ts'

export interface HostBreakerOptions {
  /** The number of consecutive failures after which the circuit opens. */
  failureThreshold?: number
  /** The time in milliseconds for which the circuit stays open. */
  openMs?: number
  nowMs?: () => number
}

const HOSTS_MAX = 1000

/** A circuit breaker per host, so that an unreachable host does not delay every request that needs it. */
export function createHostBreaker({ failureThreshold = 3, openMs = 180_000, nowMs = Date.now }: HostBreakerOptions = {}) {
  const stateByHost = new LRUCache<string, { failuresInARow: number; openUntilMs: number }>(createEntryLimit(HOSTS_MAX))
  return {
    allows(host: string): boolean {
      return (stateByHost.get(host)?.openUntilMs ?? 0) <= nowMs()
    },
    /** Records a failure. After `openMs` one attempt is allowed, whose failure opens the circuit again. */
    recordFailure(host: string): void {
      const failuresInARow = (stateByHost.get(host)?.failuresInARow ?? 0) + 1
      stateByHost.set(host, { failuresInARow, openUntilMs: failuresInARow >= failureThreshold ? nowMs() + openMs : 0 })
    },
    recordSuccess(host: string): void {
      stateByHost.delete(host)
    },
  }
}
export type HostBreaker = ReturnType<typeof createHostBreaker>
