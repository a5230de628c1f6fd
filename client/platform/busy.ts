import { createEmitter } from '../primitives/emitter.ts'

/** The activities that a reload would interrupt: a playing song, a running export, a form with input. */
export type BusyReason = 'song' | 'render' | 'form'

/** Tracks activities that a reload must not interrupt. */
export function createBusyTracker() {
  const heldReasons = new Set<{ reason: BusyReason }>()
  const changeEmitter = createEmitter()
  return {
    /** Prevents reloads until the returned function is called. */
    hold(reason: BusyReason) {
      const heldReason = { reason }
      heldReasons.add(heldReason)
      changeEmitter.emit()
      return () => {
        if (heldReasons.delete(heldReason)) changeEmitter.emit()
      }
    },
    /** Returns the reason of the activity that started first, or `undefined` if a reload interrupts nothing. */
    getSnapshot: () => heldReasons.values().next().value?.reason,
    /** Whether an activity of this kind is running. */
    has: (reason: BusyReason) => [...heldReasons].some((held) => held.reason === reason),
    subscribe: changeEmitter.subscribe,
  }
}

export type BusyTracker = ReturnType<typeof createBusyTracker>

/** The activities of this page that defer a reload. */
export const busyTracker = createBusyTracker()
