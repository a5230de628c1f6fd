/** Counts attempts by key in a sliding window, in bounded memory: the keys that were idle longest are forgotten first. */
export function createAttempts(options: { windowMs: number; max: number; nowMs: () => number; keysMax?: number }) {
  const { windowMs, max, nowMs, keysMax = 50_000 } = options
  const times = new Map<string, number[]>()

  function recent(key: string): number[] {
    const now = nowMs()
    return (times.get(key) ?? []).filter((time) => time > now - windowMs)
  }
  function keep(key: string, list: number[]): void {
    times.delete(key)
    if (list.length > 0) times.set(key, list)
    if (times.size > keysMax) {
      const idle = times.keys().next().value
      if (idle !== undefined) times.delete(idle)
    }
  }
  return {
    /** How many there are in the window. */
    count: (key: string) => recent(key).length,
    /** Counts one, unless there are `max` already: then false. Counted before the work, so that attempts at once count too. */
    take(key: string): boolean {
      const list = recent(key)
      const free = list.length < max
      if (free) list.push(nowMs())
      keep(key, list)
      return free
    },
    /** Gives the last one back: it was no failure. */
    giveBack(key: string): void {
      const list = recent(key)
      list.pop()
      keep(key, list)
    },
  }
}
export type Attempts = ReturnType<typeof createAttempts>
