import { pageScope } from '../primitives/scope.ts'

/** Background Sync (https://wicg.github.io/background-sync/spec/), which TypeScript's DOM types lack and only some browsers support. */
interface SyncRegistration extends ServiceWorkerRegistration {
  sync?: { register(tag: string): Promise<void> }
}

// `serviceWorker` is absent in insecure contexts, although its type does not say so.
const serviceWorkers = (): ServiceWorkerContainer | undefined => navigator.serviceWorker

/** Registers a one-shot Background Sync, where the browser supports it. */
export function requestBackgroundSync(): void {
  serviceWorkers()
    ?.ready.then((registration: SyncRegistration) => registration.sync?.register('outbox'))
    .catch(() => {
      // If the browser's settings deny the registration, the page sends the outbox by itself.
    })
}

/** Calls `work` after each Background Sync of the worker. */
export function onBackgroundSync(work: () => void): void {
  const container = serviceWorkers()
  if (!container) return
  pageScope.listen(container, 'message', (event) => {
    if (event instanceof MessageEvent && event.data?.type === 'WOKEN') work()
  })
}
