import { pageScope } from '../primitives/scope.ts'

/** Background Sync (https://wicg.github.io/background-sync/spec/), which TypeScript's DOM types lack and only some browsers support. */
interface SyncRegistration extends ServiceWorkerRegistration {
  sync?: { register(tag: string): Promise<void> }
}

// `serviceWorker` is absent in insecure contexts, although its type does not say so.
const getServiceWorkers = (): ServiceWorkerContainer | undefined => navigator.serviceWorker

/** Registers a one-shot Background Sync, where the browser supports it. */
export function requestBackgroundSync(): void {
  getServiceWorkers()
    ?.ready.then((registration: SyncRegistration) => registration.sync?.register('outbox'))
    .catch(() => {
      // If the browser's settings deny the registration, the page sends the outbox by itself.
    })
}

/** Calls `runWork` after each Background Sync of the worker. */
export function onBackgroundSync(runWork: () => void): void {
  const container = getServiceWorkers()
  if (!container) return
  pageScope.listen(container, 'message', (event) => {
    if (event instanceof MessageEvent && event.data?.type === 'WOKEN') runWork()
  })
}
