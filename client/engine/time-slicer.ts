import { nextTask } from '../primitives/next-task.ts'

/** The longest time in milliseconds for which work occupies the page's thread: less than half a frame at 60 Hz. */
const SLICE_MS = 6

/**
 * Splits long work on the page's thread into time slices. Await the returned function between small steps: it resolves at once within the slice,
 * and in a new task, after pending input events, when the slice is over.
 */
export function createTimeSlicer(): () => Promise<void> {
  let endMs = performance.now() + SLICE_MS
  return async () => {
    if (performance.now() < endMs) return
    await nextTask()
    endMs = performance.now() + SLICE_MS
  }
}
