export interface HostBreakerOptions {
  /** So many failures in a row, and a host is left alone … */
  failures?: number
  /** … for so long. */
  restMs?: number
  nowMs?: () => number
}

const MAX_HOSTS = 1000

/** Remembers which hosts do not answer, so that without a network nobody waits for them again and again. */
export function createHostBreaker({ failures = 3, restMs = 180_000, nowMs = Date.now }: HostBreakerOptions = {}) {
  const hosts = new Map<string, { inARow: number; untilMs: number }>()
  return {
    allows(host: string): boolean {
      return (hosts.get(host)?.untilMs ?? 0) <= nowMs()
    },
    /** After its rest a host has one try: a failure sends it back at once. */
    failed(host: string): void {
      if (hosts.size >= MAX_HOSTS) hosts.clear()
      const inARow = (hosts.get(host)?.inARow ?? 0) + 1
      hosts.set(host, { inARow, untilMs: inARow >= failures ? nowMs() + restMs : 0 })
    },
    answered(host: string): void {
      hosts.delete(host)
    },
  }
}
export type HostBreaker = ReturnType<typeof createHostBreaker>
