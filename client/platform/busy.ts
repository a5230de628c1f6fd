import { createEmitter } from '../primitives/emitter.ts'

/** The activities that a reload would interrupt: a playing song, a running export, a form with input. */
export type BusyReason = 'song' | 'render' | 'form'

/** Tracks activities that a reload must not interrupt. */
export interface BusyTracker {
  /** Prevents reloads until the returned function is called. */
  hold(reason: BusyReason): () => void
  /** Returns the oldest reason that is held, or `undefined` if a reload interrupts nothing. */
  getSnapshot(): BusyReason | undefined
  subscribe(listener: () => void): () => void
}

export function createBusy(): BusyTracker {
  const heldReasons = new Set<{ reason: BusyReason }>()
  const changes = createEmitter()
  return {
    hold(reason) {
      const heldReason = { reason }
      heldReasons.add(heldReason)
      changes.emit()
      return () => {
        if (heldReasons.delete(heldReason)) changes.emit()
      }
    },
    getSnapshot: () => heldReasons.values().next().value?.reason,
    subscribe: changes.subscribe,
  }
}

/** The activities of this page that defer a reload. */
export const busy = createBusy()
