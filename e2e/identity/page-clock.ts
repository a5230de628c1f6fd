import type { Page } from '@playwright/test'

/**
 * In each document that the page loads afterwards, replaces the clock by one that a test can advance. Timers of less than 45 s run in real
 * time. Longer timers fire when the clock is advanced beyond their time.
 */
export async function installPageClock(page: Page): Promise<{ advance(ms: number): Promise<void> }> {
  await page.addInitScript(() => {
    const LONG_TIMER_MIN_MS = 45_000
    let offsetMs = 0
    const longTimerById = new Map<number, { dueMs: number; callback: () => void }>()
    let lastTimerId = 1e9
    const RealDate = Date
    const realNow = performance.now.bind(performance)
    const realSetTimeout = setTimeout.bind(globalThis)
    const realClearTimeout = clearTimeout.bind(globalThis)
    performance.now = () => realNow() + offsetMs
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, args) => Reflect.construct(target, args.length === 0 ? [target.now() + offsetMs] : args),
      get: (target, name) => (name === 'now' ? () => target.now() + offsetMs : Reflect.get(target, name)),
    })
    Object.assign(globalThis, {
      setTimeout: (callback: () => void, ms = 0, ...args: unknown[]) => {
        if (ms < LONG_TIMER_MIN_MS) return Reflect.apply(realSetTimeout, undefined, [callback, ms, ...args])
        longTimerById.set(++lastTimerId, { dueMs: performance.now() + ms, callback })
        return lastTimerId
      },
      clearTimeout: (id: number) => {
        if (!longTimerById.delete(id)) realClearTimeout(id)
      },
      advanceClock(elapsedMs: number) {
        offsetMs += elapsedMs
        for (const [timerId, { dueMs, callback: runCallback }] of longTimerById)
          if (dueMs <= performance.now()) {
            longTimerById.delete(timerId)
            runCallback()
          }
      },
    })
  })
  return {
    advance: (ms) => page.evaluate((by) => Reflect.apply(Reflect.get(globalThis, 'advanceClock'), undefined, [by]), ms),
  }
}
