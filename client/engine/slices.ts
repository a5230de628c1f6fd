/** Half a frame of the screen at 60 Hz: what is left is for the page itself. */
const SLICE_MS = 6

/**
 * Cuts long work on the page into slices: to be awaited between small steps of it. Resolves at once as long as the slice lasts, else in a task of
 * its own, after the page has answered to input. A page in the background is not slowed down, as it would be by timers.
 */
export function createSlices(): () => Promise<void> {
  let endMs = performance.now() + SLICE_MS
  return async () => {
    if (performance.now() < endMs) return
    await nextTask()
    endMs = performance.now() + SLICE_MS
  }
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
