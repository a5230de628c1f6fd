import { useEffect, useSyncExternalStore } from 'react'
import { type BusyReason, busyTracker } from '../platform/busy.ts'
import { type OfflineReady, serviceWorker, type UpdateState } from '../platform/service-worker.ts'

// The states during server rendering and hydration: offline use is being prepared, and no new version is offered.
const initialOfflineReady: OfflineReady = { state: 'starting' }
const getNoUpdate = (): UpdateState => 'none'
const subscribeToNothing = () => undefined

/** Returns whether the site can start offline on this device, or why not. */
export const useOfflineReady = (): OfflineReady =>
  useSyncExternalStore(serviceWorker.subscribe, serviceWorker.offlineReady, () => initialOfflineReady)

export interface SiteUpdate {
  state: UpdateState
  /** The activity that defers an accepted update, for example a running export. */
  busy: BusyReason | undefined
  accept(): void
}

/** Returns the state of the update to a new version of the site. */
export function useSiteUpdate(): SiteUpdate {
  const state = useSyncExternalStore(serviceWorker.subscribe, serviceWorker.updateState, getNoUpdate)
  const busyReason = useSyncExternalStore(busyTracker.subscribe, busyTracker.getSnapshot, subscribeToNothing)
  return { state, busy: busyReason, accept: serviceWorker.acceptUpdate }
}

/** Defers updates of the site while `isBusy`, for example during playback, an export or while a form is filled in. */
export function useBusyWhile(isBusy: boolean, reason: BusyReason): void {
  useEffect(() => (isBusy ? busyTracker.hold(reason) : undefined), [isBusy, reason])
}
