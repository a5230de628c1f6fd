import type { Page } from '@playwright/test'

/**
 * Gives a page a clock that can be turned on, in any document that it loads from now on. Short timers go by real time, as what a page does at
 * once must go on; long ones are done when the clock passes their time.
 */
export async function installPageClock(page: Page): Promise<{ advance(ms: number): Promise<void> }> {
  await page.addInitScript(() => {
    const LONG_MS = 45_000
    let offsetMs = 0
    const waiting = new Map<number, { atMs: number; run: () => void }>()
    let lastId = 1e9
    const RealDate = Date
    const realNow = performance.now.bind(performance)
    const realSetTimeout = setTimeout.bind(globalThis)
    const realClearTimeout = clearTimeout.bind(globalThis)
    performance.now = () => realNow() + offsetMs
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, given) => Reflect.construct(target, given.length === 0 ? [target.now() + offsetMs] : given),
      get: (target, name) => (name === 'now' ? () => target.now() + offsetMs : Reflect.get(target, name)),
    })
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms = 0, ...given: unknown[]) => {
        if (ms < LONG_MS) return Reflect.apply(realSetTimeout, undefined, [run, ms, ...given])
        waiting.set(++lastId, { atMs: performance.now() + ms, run })
        return lastId
      },
      clearTimeout: (id: number) => {
        if (!waiting.delete(id)) realClearTimeout(id)
      },
      advanceClock(ms: number) {
        offsetMs += ms
        for (const [id, { atMs, run }] of waiting)
          if (atMs <= performance.now()) {
            waiting.delete(id)
            run()
          }
      },
    })
  })
  return {
    advance: (ms) => page.evaluate((by) => Reflect.apply(Reflect.get(globalThis, 'advanceClock'), undefined, [by]), ms),
  }
}
