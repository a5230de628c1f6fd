import type { DeviceStore } from './store.ts'

/** A store that is still being opened: what is asked of it waits. */
export function deferStore(opening: Promise<DeviceStore>): DeviceStore {
  let opened: DeviceStore | undefined
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of [...listeners]) listener()
  }
  opening.then(
    (store) => {
      opened = store
      store.onHealth(tell)
      if (store.health !== 'kept') tell()
    },
    () => {
      // Whoever reads or writes hears of it.
    },
  )
  const later = (work: (store: DeviceStore) => void) => {
    opening.then(work).catch(() => {})
  }

  return {
    watch(read, observer) {
      let stopped = false
      let stop = () => {
        stopped = true
      }
      opening.then(
        (store) => {
          if (!stopped) stop = store.watch(read, observer)
        },
        (error: unknown) => observer.error(error),
      )
      return () => stop()
    },
    change: async (work) => (await opening).change(work),
    get health() {
      return opened?.health ?? 'kept'
    },
    onHealth(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    setMakeRoom: (makeRoom) => later((store) => store.setMakeRoom(makeRoom)),
    onWritten: (listener) => later((store) => store.onWritten(listener)),
    recover: async () => (await opening).recover(),
  }
}
