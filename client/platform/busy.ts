/** What a reload would cut off: a song that plays, an export that runs, a form that is filled in. */
export type BusyReason = 'song' | 'render' | 'form'

/** Says what must not be interrupted now. */
export interface Busy {
  /** Holds off interruptions until the returned function is called. */
  hold(reason: BusyReason): () => void
  /** One of the reasons held, or `undefined` where nothing stands in the way. */
  getSnapshot(): BusyReason | undefined
  subscribe(listener: () => void): () => void
}

export function createBusy(): Busy {
  const held = new Set<{ reason: BusyReason }>()
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of [...listeners]) listener()
  }
  return {
    hold(reason) {
      const entry = { reason }
      held.add(entry)
      tell()
      return () => {
        if (held.delete(entry)) tell()
      }
    },
    getSnapshot: () => held.values().next().value?.reason,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The page's own: there is one page, and everything in it that runs shares its fate. */
export const busy = createBusy()
