import { vi } from 'vitest'

/**
 * Advances fake timers in steps, and lets promises settle after each step. `vi.advanceTimersByTimeAsync` takes several times as long,
 * because it waits for a real timer of the browser after each fake one.
 */
export async function advanceTime(elapsedMs: number, stepMs = 50): Promise<void> {
  for (let remainingMs = elapsedMs; remainingMs > 0; remainingMs -= stepMs) {
    vi.advanceTimersByTime(Math.min(stepMs, remainingMs))
    await settlePromises()
  }
}

/** Waits for a few tasks of the browser, because the bodies of responses are read in tasks. */
async function settlePromises(): Promise<void> {
  for (let taskIndex = 0; taskIndex < 3; taskIndex++) {
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        port1.close()
        resolve()
      }
      port2.postMessage(undefined)
    })
  }
}
