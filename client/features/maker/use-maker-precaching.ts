import { useEffect } from 'react'

/** Caches the chunks of the maker page on mount, so that the page can be opened offline. */
export function useMakerPrecaching(): void {
  useEffect(() => precacheMakerChunks(), [])
}

/** Asks the worker to cache the maker's chunks, so that the maker starts offline from now on. */
function precacheMakerChunks(page: Window = window): void {
  // `serviceWorker` is absent in insecure contexts, although its type does not say so. On the first visit, `ready` resolves only after the
  // worker has been installed.
  const container: ServiceWorkerContainer | undefined = page.navigator.serviceWorker
  container?.ready.then(({ active }) => active?.postMessage({ type: 'CACHE_MAKER' })).catch(() => {})
}
