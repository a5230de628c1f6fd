const LONGEST_WAIT_MS = 3_000

/** When the page is loaded and has nothing to do, or at the first sign that a person does something. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    const signs = ['pointerdown', 'keydown', 'touchstart'] as const
    const done = () => {
      for (const sign of signs) removeEventListener(sign, done, true)
      resolve()
    }
    for (const sign of signs) addEventListener(sign, done, { capture: true, passive: true })
    const wait = () => {
      if (typeof requestIdleCallback === 'function') requestIdleCallback(done, { timeout: LONGEST_WAIT_MS })
      else setTimeout(done, 200)
    }
    if (document.readyState === 'complete') wait()
    else addEventListener('load', wait, { once: true })
  })
}
