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

export interface BridgeDeps {
  busy: Busy
  reload: () => void
  /** Loaded when the page is idle; it is no part of what a page needs to start. */
  loadWorkbox: () => Promise<Workbox>
}

/** A song is over when it stays over: between two songs, and while a person moves in one, the player stops for a moment. */
const CALM_MS = 2_000
const CHECK_EVERY_MS = 3_600_000
const IDLE_TIMEOUT_MS = 4_000
/** And twice as long each time after. */
const RETRY_AFTER_MS = 30_000
const PICTURES_AT_ONCE = 120

export function createServiceWorkerBridge({ busy, reload, loadWorkbox }: BridgeDeps): ServiceWorkerBridge {
  const listeners = new Set<() => void>()
  let ready: OfflineReady = { state: 'starting' }
  let update: UpdateState = 'none'
  /** The worker of another build has this page already: another tab took the update. */
  let takenOver = false
  let asked = false
  let controlled = false
  let retryAfterMs = RETRY_AFTER_MS
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
        keepShownPictures(container)
        return
      }
      takenOver = true
      if (update === 'none') setUpdate('offered')
      proceed()
    })
  }

  async function register(): Promise<void> {
    workbox = await loadWorkbox()
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
        checkNowAndThen(() => void registration?.update().catch(() => undefined))
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

/** Pages stay open for days: looks for a new version every hour that someone looks. */
function checkNowAndThen(lookForUpdate: () => void): void {
  let checkedAtMs = Date.now()
  const check = () => {
    // The clock may have been set back.
    if (document.hidden || !navigator.onLine || Math.abs(Date.now() - checkedAtMs) < CHECK_EVERY_MS) return
    checkedAtMs = Date.now()
    lookForUpdate()
  }
  setInterval(check, CHECK_EVERY_MS / 4)
  document.addEventListener('visibilitychange', check)
}

/** What the first page showed before its worker was there belongs to what was seen, too. */
function keepShownPictures(container: ServiceWorkerContainer): void {
  const paths = performance
    .getEntriesByType('resource')
    .map((entry) => new URL(entry.name))
    .filter((url) => url.origin === location.origin && url.pathname.startsWith('/img/'))
    .map((url) => url.pathname)
  container.controller?.postMessage({ type: 'CACHE_PICTURES', paths: [...new Set(paths)].slice(-PICTURES_AT_ONCE) })
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
  loadWorkbox: async () => {
    const { Workbox } = await import('workbox-window')
    return new Workbox('/sw.js', { updateViaCache: 'none' })
  },
})
