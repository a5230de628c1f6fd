/** Asks the worker to keep all that the maker needs, so that it starts without a network from now on. */
export function keepMaker(page: Window = window): void {
  // Absent outside secure contexts, whatever the types say. The first visit has its worker some time later.
  const container: ServiceWorkerContainer | undefined = page.navigator.serviceWorker
  container?.ready.then(({ active }) => active?.postMessage({ type: 'CACHE_MAKER' })).catch(() => {})
}
