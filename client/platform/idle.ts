import { createCleanupScope, startTimeout } from '../primitives/scope.ts'
import { getEarlyEvents } from './early-events.ts'

/** Time limit for the `load` event, which a picture without a response delays for minutes. */
const LOAD_TIMEOUT_MS = 10_000
/** The time in milliseconds after which a page that is never idle counts as idle. */
const IDLE_TIMEOUT_MS = 3_000
/** The delay in milliseconds that replaces requestIdleCallback in browsers without it. */
const IDLE_FALLBACK_MS = 200

/** Resolves when the idle period of the latest call of `waitUntilIdle` has begun. The next call waits for it. */
let previousPeriod = Promise.resolve()

/**
 * Resolves when the page is loaded and idle, at the latest `IDLE_TIMEOUT_MS` after the calls before this one have resolved. Each call gets
 * an idle period of its own, so that work that waits for idle periods does not run in a single long task.
 */
export function waitUntilIdle(): Promise<void> {
  return new Promise((resolve) => {
    const scope = createCleanupScope()
    const waitForPeriod = (beginPeriod: () => void) => {
      if (typeof requestIdleCallback === 'function') requestIdleCallback(beginPeriod, { timeout: IDLE_TIMEOUT_MS })
      else startTimeout(beginPeriod, IDLE_FALLBACK_MS)
    }
    const resolveInIdlePeriod = () => {
      scope.dispose()
      previousPeriod = previousPeriod.then(() => new Promise(waitForPeriod))
      resolve(previousPeriod)
    }
    if (document.readyState === 'complete') return resolveInIdlePeriod()
    scope.timeout(resolveInIdlePeriod, LOAD_TIMEOUT_MS)
    scope.listen(window, 'load', resolveInIdlePeriod)
  })
}

const inputEventTypes = ['pointerdown', 'keydown', 'touchstart'] as const
const intentEventTypes = [...inputEventTypes, 'pointermove', 'focusin'] as const

/** Resolves at the first event of one of `eventTypes`; immediately if such an event was recorded before the program was loaded. */
function waitForFirst(eventTypes: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const scope = createCleanupScope()
    const finishWaiting = () => {
      scope.dispose()
      resolve()
    }
    if (getEarlyEvents().some(({ event }) => eventTypes.includes(event.type))) return finishWaiting()
    for (const type of eventTypes) scope.listen(window, type, finishWaiting, { capture: true, passive: true })
  })
}

/** Resolves at the first input of a person. */
export const waitForFirstInput = (): Promise<void> => waitForFirst(inputEventTypes)

/** Resolves at the first sign that a person is about to use the page: input, a moved pointer, or focus. */
export const waitForFirstIntent = (): Promise<void> => waitForFirst(intentEventTypes)
