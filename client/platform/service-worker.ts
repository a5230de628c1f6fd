import type { Workbox } from 'workbox-window'
import { createEmitter } from '../primitives/emitter.ts'
import { pageScope } from '../primitives/scope.ts'
import { type BusyTracker, busyTracker } from './busy.ts'
import { waitUntilIdle } from './idle.ts'
import type { PageRouter } from './worker-maintenance.ts'

/** The states of offline support: whether the site can start without a network. */
export type OfflineReady =
  | { state: 'starting' }
  | { state: 'ready' }
  /** The browser has no service workers, or this page cannot use them. */
  | { state: 'unsupported' }
  /** The worker could not be registered or installed: blocked by settings, no space, or a lost connection. */
  | { state: 'failed'; reason: string }

/**
 * `offered`: a new version is installed. `accepted`: a person has accepted the new version, which is activated as soon as a reload does not interrupt
 * playback, input or an export.
 */
export type UpdateState = 'none' | 'offered' | 'accepted'

type WorkerMaintenance = typeof import('./worker-maintenance.ts')

export interface ServiceWorkerBridgeDeps {
  busy: BusyTracker
  reload: () => void
  /** Loads an on-demand chunk when the page is idle. */
  loadMaintenance: () => Promise<WorkerMaintenance>
}

/** The player is briefly not busy between two songs and during a seek, so an update is activated only after this time. */
const NOT_BUSY_BEFORE_UPDATE_MS = 2_000
/** The delay in milliseconds before the worker's registration is attempted again. It doubles with each failure. */
const REGISTRATION_RETRY_DELAY_MS = 30_000

export function createServiceWorkerBridge({ busy, reload, loadMaintenance }: ServiceWorkerBridgeDeps) {
  const stateChanges = createEmitter()
  let offlineState: OfflineReady = { state: 'starting' }
  let updateState: UpdateState = 'none'
  /** Whether the worker of a newer build controls this page, because another tab accepted the update. */
  let hasNewController = false
  let hasRequestedSkipWaiting = false
  let isPageControlled = false
  let registrationRetryDelayMs = REGISTRATION_RETRY_DELAY_MS
  let maintenance: WorkerMaintenance | undefined
  let workbox: Workbox | undefined
  let registration: ServiceWorkerRegistration | undefined
  let pageRouter: PageRouter | undefined

  const setOfflineState = (newReady: OfflineReady) => {
    offlineState = newReady
    stateChanges.emit()
  }
  const setUpdateState = (newUpdate: UpdateState) => {
    updateState = newUpdate
    stateChanges.emit()
  }

  /** Activates an accepted update if a reload would not interrupt playback, input or an export. */
  function activateUpdateIfPossible(): void {
    if (busy.getSnapshot() !== undefined) return
    if (updateState === 'accepted') {
      if (hasNewController || !registration?.waiting) reload()
      else if (!hasRequestedSkipWaiting) {
        hasRequestedSkipWaiting = true
        workbox?.messageSkipWaiting()
      }
    }
  }

  let cancelActivation = () => {}
  function scheduleActivation(): void {
    cancelActivation()
    cancelActivation = pageScope.timeout(activateUpdateIfPossible, NOT_BUSY_BEFORE_UPDATE_MS)
  }

  function listenToWorkers(container: ServiceWorkerContainer): void {
    isPageControlled = container.controller !== null
    pageScope.listen(container, 'controllerchange', () => {
      if (!isPageControlled) {
        // The new controller is not an update, but the site's first worker in this browser, which has claimed the page that registered it.
        isPageControlled = true
        maintenance?.cacheShownPictures(container)
        return
      }
      hasNewController = true
      if (updateState === 'none') setUpdateState('offered')
      activateUpdateIfPossible()
    })
  }

  async function registerWorker(): Promise<void> {
    if (!maintenance) {
      maintenance = await loadMaintenance()
      maintenance.startMaintenance(() => void registration?.update().catch(() => undefined))
      if (pageRouter) maintenance.connectRouter(navigator.serviceWorker, pageRouter)
    }
    ;({ workbox, registration } = await maintenance.registerWorker({
      onWaiting() {
        hasRequestedSkipWaiting = false
        if (updateState === 'none') setUpdateState('offered')
      },
      onReady: () => setOfflineState({ state: 'ready' }),
      onFailure: failInstallation,
    }))
    // After a forced reload, no worker controls the page, although one is installed. If a worker then claims the page, it is a new version.
    if (registration.active?.state === 'activated') isPageControlled = true
  }

  const tryToRegister = () =>
    void registerWorker().catch((error: unknown) => failInstallation(error instanceof Error ? error.message : String(error)))

  /** Reports the failure and schedules a retry, since a lost connection can return. */
  function failInstallation(reasonText: string): void {
    setOfflineState({ state: 'failed', reason: reasonText })
    pageScope.timeout(tryToRegister, registrationRetryDelayMs)
    registrationRetryDelayMs *= 2
  }

  return {
    /** Reports to the worker that the page's JavaScript has started. If a page does not report this, the worker repairs its caches. */
    reportStart() {
      // `serviceWorker` is absent in insecure contexts and with some browser settings, although its type does not say so.
      const container: ServiceWorkerContainer | undefined = navigator.serviceWorker
      container?.controller?.postMessage({ type: 'STARTED' })
    },
    /** Registers the worker once the page is idle. Failures set `offlineReady`; without a worker the site works online. */
    start() {
      const container: ServiceWorkerContainer | undefined = navigator.serviceWorker
      if (!container) {
        setOfflineState({ state: 'unsupported' })
        return
      }
      busy.subscribe(scheduleActivation)
      waitUntilIdle().then(() => {
        listenToWorkers(container)
        tryToRegister()
      })
    },
    /** Sets the router of the page. It is connected with the worker once the page is idle. */
    setRouter(router: PageRouter) {
      pageRouter = router
    },
    offlineReady: () => offlineState,
    updateState: () => updateState,
    /** Activates the new version now, or as soon as a reload interrupts nothing. */
    acceptUpdate() {
      setUpdateState('accepted')
      activateUpdateIfPossible()
    },
    subscribe: stateChanges.subscribe,
  }
}

export type ServiceWorkerBridge = ReturnType<typeof createServiceWorkerBridge>

/** Resolves when the worker has cached the files for an offline start, or has failed to do so. */
export function waitForOfflineState(bridge: ServiceWorkerBridge): Promise<void> {
  return new Promise((resolve) => {
    const checkRegistration = () => {
      if (bridge.offlineReady().state === 'starting') return
      stop()
      resolve()
    }
    const stop = bridge.subscribe(checkRegistration)
    checkRegistration()
  })
}

/** The connection between this page and its service worker. */
export const serviceWorker = createServiceWorkerBridge({
  busy: busyTracker,
  reload: () => location.reload(),
  loadMaintenance: () => import('./worker-maintenance.ts'),
})
