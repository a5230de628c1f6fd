import type { Workbox } from 'workbox-window'
import { type Busy, busy } from './busy.ts'
import { whenIdle } from './idle.ts'

/** Whether the site starts without a network: not known yet, yes, or why not. */
export type OfflineReady =
  | { state: 'starting' }
  | { state: 'ready' }
  /** The browser has no service workers, or none for this kind of page. */
  | { state: 'unsupported' }
  /** It was refused, or did not install: blocked by settings, no space, or a connection that broke off. */
  | { state: 'failed'; reason: string }

/** `offered`: a new version is here. `accepted`: a person takes it, and it waits until nothing is interrupted by it. */
export type UpdateState = 'none' | 'offered' | 'accepted'

export interface ServiceWorkerBridge {
  /** Registers the worker once the page is idle. Never rejects: without one, the site works online. */
  start(): void
  offlineReady(): OfflineReady
  update(): UpdateState
  /** Takes the new version now, or as soon as nothing would be interrupted. */
  acceptUpdate(): void
  subscribe(listener: () => void): () => void
}

type WorkerCare = typeof import('./worker-care.ts')

export interface BridgeDeps {
  busy: Busy
  reload: () => void
  /** Loaded when the page is idle; it is no part of what a page needs to start. */
  loadCare: () => Promise<WorkerCare>
}

/** A song is over when it stays over: between two songs, and while a person moves in one, the player stops for a moment. */
const CALM_MS = 2_000
const IDLE_TIMEOUT_MS = 4_000
/** And twice as long each time after. */
const RETRY_AFTER_MS = 30_000

export function createServiceWorkerBridge({ busy, reload, loadCare }: BridgeDeps): ServiceWorkerBridge {
  const listeners = new Set<() => void>()
  let ready: OfflineReady = { state: 'starting' }
  let update: UpdateState = 'none'
  /** The worker of another build has this page already: another tab took the update. */
  let takenOver = false
  let asked = false
  let controlled = false
  let retryAfterMs = RETRY_AFTER_MS
  let care: WorkerCare | undefined
  let workbox: Workbox | undefined
  let registration: ServiceWorkerRegistration | undefined

  const tell = () => {
    for (const listener of [...listeners]) listener()
  }
  const setReady = (next: OfflineReady) => {
    ready = next
    tell()
  }
  const setUpdate = (next: UpdateState) => {
    update = next
    tell()
  }

  /** Goes on with an accepted update where nothing stands in its way any more. */
  function proceed(): void {
    if (busy.getSnapshot() !== undefined) return
    if (update === 'accepted') {
      if (takenOver || !registration?.waiting) reload()
      else if (!asked) {
        asked = true
        workbox?.messageSkipWaiting()
      }
    }
  }

  let calm: ReturnType<typeof setTimeout> | undefined
  function proceedWhenCalm(): void {
    clearTimeout(calm)
    calm = setTimeout(proceed, CALM_MS)
  }

  function listen(container: ServiceWorkerContainer): void {
    controlled = container.controller !== null
    container.addEventListener('controllerchange', () => {
      if (!controlled) {
        // The first worker of this browser took over the page that brought it.
        controlled = true
        care?.keepShownPictures(container)
        return
      }
      takenOver = true
      if (update === 'none') setUpdate('offered')
      proceed()
    })
  }

  async function register(): Promise<void> {
    if (!care) {
      care = await loadCare()
      care.checkNowAndThen(() => void registration?.update().catch(() => undefined))
    }
    workbox = care.openWorkbox()
    workbox.addEventListener('waiting', () => {
      asked = false
      if (update === 'none') setUpdate('offered')
    })
    registration = await workbox.register({ immediate: true })
    if (!registration) throw new Error('The browser registered nothing.')
    // A page that was loaded past its worker (a forced reload) has none, and is taken over by the next one as any other.
    if (registration.active?.state === 'activated') controlled = true
    const first = registration.active ? undefined : (registration.installing ?? registration.waiting ?? undefined)
    first?.addEventListener('statechange', () => {
      if (first.state === 'activated') setReady({ state: 'ready' })
      if (first.state === 'redundant' && !registration?.active) fail('It could not be installed.')
    })
    if (registration.active) setReady({ state: 'ready' })
  }

  const tryToRegister = () => void register().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)))

  /** A connection that broke off is there again some time. */
  function fail(reason: string): void {
    setReady({ state: 'failed', reason })
    setTimeout(tryToRegister, retryAfterMs)
    retryAfterMs *= 2
  }

  return {
    start() {
      // Absent outside secure contexts, and where settings forbid it, whatever the types say.
      const container: ServiceWorkerContainer | undefined = navigator.serviceWorker
      if (!container) {
        setReady({ state: 'unsupported' })
        return
      }
      // It looks after a page that says nothing: what it has of the program may be damaged.
      container.controller?.postMessage({ type: 'STARTED' })
      busy.subscribe(proceedWhenCalm)
      whenIdle(IDLE_TIMEOUT_MS).then(() => {
        listen(container)
        tryToRegister()
      })
    },
    offlineReady: () => ready,
    update: () => update,
    acceptUpdate() {
      setUpdate('accepted')
      proceed()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** When it is known whether the site starts without a network: its files are on this device by then, or never will be. */
export function whenReadyOrNot(bridge: ServiceWorkerBridge): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (bridge.offlineReady().state === 'starting') return
      stop()
      resolve()
    }
    const stop = bridge.subscribe(look)
    look()
  })
}

/** The page's own worker. */
export const serviceWorker = createServiceWorkerBridge({
  busy,
  reload: () => location.reload(),
  loadCare: () => import('./worker-care.ts'),
})
