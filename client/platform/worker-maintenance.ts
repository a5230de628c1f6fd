import { Workbox } from 'workbox-window'
import { SIGNED_IN_ACCOUNT_KEY } from '../../contract/account-snapshot.ts'
import { pageScope } from '../primitives/scope.ts'
import { toTrustedScriptUrl } from '../primitives/trusted-types.ts'
import { localStore } from './web-storage.ts'

// The tasks that the page delegates to its service worker when the page is idle.

const UPDATE_CHECK_INTERVAL_MS = 3_600_000
const MAX_CACHED_PICTURES = 120
/** The time after which a page that is visible counts as visited. */
const PAGE_VISITED_MS = 3_000

interface RegistrationListeners {
  /** A new version is installed, and waits until the pages of the old one are closed. */
  onWaiting: () => void
  /** A worker is active: the site can start without a network. */
  onReady: () => void
  /** The first worker could not be installed. */
  onFailure: (reasonText: string) => void
}

/** Registers the worker. Rejects if it is refused, or if its script cannot be loaded. */
export async function registerWorker({ onWaiting, onReady, onFailure }: RegistrationListeners) {
  const workbox = new Workbox(toTrustedScriptUrl('/sw.js'), { updateViaCache: 'none' })
  workbox.addEventListener('waiting', onWaiting)
  const registration = await workbox.register({ immediate: true })
  if (!registration) throw new Error('The browser returned no registration.')
  const firstWorker = registration.active ? undefined : (registration.installing ?? registration.waiting ?? undefined)
  if (firstWorker) {
    pageScope.listen(firstWorker, 'statechange', () => {
      if (firstWorker.state === 'activated') onReady()
      if (firstWorker.state === 'redundant' && !registration.active) onFailure('It could not be installed.')
    })
  }
  if (registration.active) onReady()
  return { workbox, registration }
}

/**
 * Starts the maintenance tasks that run without further calls. `checkForUpdate` is called every hour while the page is visible, since pages
 * can stay open for days.
 */
export function startMaintenance(checkForUpdate: () => void): void {
  deleteLeftoverSnapshot()
  scheduleUpdateChecks(checkForUpdate)
}

function scheduleUpdateChecks(checkForUpdate: () => void): void {
  let updateCheckedAtMs = Date.now()
  const checkIfDue = () => {
    // Compares the absolute value, because the time since the last check is negative if the device's clock was set back.
    if (document.hidden || !navigator.onLine || Math.abs(Date.now() - updateCheckedAtMs) < UPDATE_CHECK_INTERVAL_MS) return
    updateCheckedAtMs = Date.now()
    checkForUpdate()
  }
  pageScope.interval(checkIfDue, UPDATE_CHECK_INTERVAL_MS / 4)
  pageScope.listen(document, 'visibilitychange', checkIfDue)
}

/** Lets the worker cache the pictures that the first page loaded before the worker controlled the page. */
export function cacheShownPictures(container: ServiceWorkerContainer): void {
  const assetPaths = performance
    .getEntriesByType('resource')
    .map((entry) => new URL(entry.name))
    .filter((url) => url.origin === location.origin && url.pathname.startsWith('/img/'))
    .map((url) => url.pathname)
  container.controller?.postMessage({ type: 'CACHE_PICTURES', paths: [...new Set(assetPaths)].slice(-MAX_CACHED_PICTURES) })
}

/** The members of the page's router that are used. */
export interface PageRouter {
  subscribe(eventType: 'onRendered', listener: () => void): unknown
  history: { push(address: string): void }
}

/** Lets the worker cache the pages that the router shows, and lets the router open the pages that the worker requests. */
export function connectRouter(container: ServiceWorkerContainer, router: PageRouter): void {
  router.subscribe('onRendered', cacheVisitedPages(container))
  openRequestedPages(container, router.history)
}

declare global {
  interface WindowEventMap {
    /** The worker requests a page. What covers the page is closed, as it is at `popstate`. */
    'page-request': Event
  }
}

/**
 * Opens the page that the worker requests when a notification is pressed. The router opens it without loading a document, so that music and exports
 * continue. Without the answer, the worker loads the document.
 */
function openRequestedPages(container: ServiceWorkerContainer, routerHistory: PageRouter['history']): void {
  pageScope.listen(container, 'message', (event) => {
    if (!(event instanceof MessageEvent) || event.data?.type !== 'OPEN_PAGE') return
    event.ports[0]?.postMessage('OPENED')
    uncoverPage()
    if (location.pathname !== event.data.path) routerHistory.push(event.data.path)
  })
}

/** Closes what the browser's Back button closes, because it may hide the requested page: the dialogs, and the queue if it is as wide as the page. */
function uncoverPage(): void {
  for (const dialog of document.querySelectorAll('dialog')) dialog.close()
  dispatchEvent(new Event('page-request' satisfies keyof WindowEventMap))
}

/**
 * Lets the worker cache the documents of visited pages, so that each is painted immediately when it is opened again. A page counts as visited once it was
 * visible for a while, because a browser may be closed without any event, and when its tab is hidden or another document is opened. Returns the
 * function to call when the page has shown another address.
 */
function cacheVisitedPages(container: ServiceWorkerContainer): () => void {
  let shownPath = ''
  let cancelTimer = () => {}
  const cacheShownPage = () => {
    cancelTimer()
    container.controller?.postMessage({ type: 'CACHE_PAGE', path: shownPath })
  }
  const startTimer = () => {
    cancelTimer()
    if (!document.hidden) cancelTimer = pageScope.timeout(cacheShownPage, PAGE_VISITED_MS)
  }
  const notePageShown = () => {
    shownPath = location.pathname + location.search
    startTimer()
  }
  pageScope.listen(document, 'visibilitychange', () => (document.hidden ? cacheShownPage() : startTimer()))
  // At the first visit, the worker controls the page only after a while.
  pageScope.listen(container, 'controllerchange', startTimer)
  notePageShown()
  return notePageShown
}

/**
 * Lets the worker delete the account snapshot, the stored HTML of the dashboard, if nobody is signed in.
 * Usually it has been deleted at the sign-out, unless no worker controlled the page
 * then, or the browser was closed at that moment.
 */
function deleteLeftoverSnapshot(): void {
  if (localStore.read(SIGNED_IN_ACCOUNT_KEY) === null) navigator.serviceWorker.controller?.postMessage({ type: 'DELETE_SNAPSHOT' })
}
