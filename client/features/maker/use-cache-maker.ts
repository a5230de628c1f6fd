import { useEffect } from 'react'

/** Caches the chunks of the maker page on mount, so that the page can be opened offline. */
export function useCacheMaker(): void {
  useEffect(() => cacheMaker(), [])
}

/** Asks the worker to cache the maker's chunks, so that the maker starts offline from now on. */
function cacheMaker(page: Window = window): void {
  // `serviceWorker` may be absent, because insecure contexts have none, which its type does not say. On the first visit the worker is ready
  // later.
  const container: ServiceWorkerContainer | undefined = page.navigator.serviceWorker
  container?.ready.then(({ active }) => active?.postMessage({ type: 'CACHE_MAKER' })).catch(() => {})
}
