import { useSyncExternalStore } from 'react'
import { type BusyReason, busy } from '../platform/busy.ts'
import { type OfflineReady, serviceWorker, type UpdateState } from '../platform/service-worker.ts'

// What the server's HTML knows.
const starting: OfflineReady = { state: 'starting' }
const nothingNew = (): UpdateState => 'none'
const idle = () => undefined

/** Whether the site starts on this device without a network, or why not. */
export const useOfflineReady = (): OfflineReady => useSyncExternalStore(serviceWorker.subscribe, serviceWorker.offlineReady, () => starting)

export interface Update {
  state: UpdateState
  /** What an accepted update waits for. */
  busy: BusyReason | undefined
  accept(): void
}

/** The new version of the site, where there is one. */
export function useUpdate(): Update {
  const state = useSyncExternalStore(serviceWorker.subscribe, serviceWorker.update, nothingNew)
  const reason = useSyncExternalStore(busy.subscribe, busy.getSnapshot, idle)
  return { state, busy: reason, accept: serviceWorker.acceptUpdate }
}
