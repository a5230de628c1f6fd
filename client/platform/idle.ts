import { earlyEvents } from './early-events.ts'

/** A picture without an answer keeps a page from being loaded for minutes. */
const LOADED_WITHIN_MS = 10_000

/** When the page is loaded and has nothing to do; `longestMs` after it is loaded, or should have been, at the latest. */
export function whenIdle(longestMs: number): Promise<void> {
  return new Promise((resolve) => {
    const wait = () => {
      clearTimeout(overdue)
      if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: longestMs })
      else setTimeout(resolve, 200)
    }
    const overdue = setTimeout(wait, LOADED_WITHIN_MS)
    if (document.readyState === 'complete') wait()
    else addEventListener('load', wait, { once: true })
  })
}

const signs = ['pointerdown', 'keydown', 'touchstart'] as const

/** The first sign that a person does something with the page. */
export function whenTouched(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const sign of signs) removeEventListener(sign, done, true)
      resolve()
    }
    for (const sign of signs) addEventListener(sign, done, { capture: true, passive: true })
    if (earlyEvents().some(({ event }) => signs.some((sign) => sign === event.type))) done()
  })
}
