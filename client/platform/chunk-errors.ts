import { pageScope } from '../primitives/scope.ts'

/**
 * Turns the failure to load a chunk (because of an old page, a server with another build, or no network) into an error that the route shows
 * with a button to reload. Without this, the router would reload the page and interrupt the song.
 */
export function handleChunkErrors(page: Window = window): void {
  pageScope.listen(page, 'vite:preloadError', (event) => {
    // The router recognizes failed dynamic imports by the beginning of the browser's error message. A prefix prevents that.
    event.payload.message = `A part of the page could not be loaded. ${event.payload.message}`
    // The worker's copy of the chunk can be damaged; the worker replaces it before the reload.
    page.navigator.serviceWorker?.controller?.postMessage({ type: 'PART_FAILED' })
  })
}

/** The maximum time in milliseconds for which a reload waits for chunks to be fetched. */
const REFETCH_TIMEOUT_MS = 5_000

/**
 * Reloads the page with fresh chunks. Browsers keep immutable scripts in memory across a reload, even a damaged script that the service
 * worker has replaced in its cache. Fetching a script replaces the browser's copy.
 */
export async function reloadWithFreshChunks(page: Window = window): Promise<void> {
  const chunkUrls = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((url) => url.startsWith(page.origin) && url.endsWith('.js'))
  const signal = AbortSignal.timeout(REFETCH_TIMEOUT_MS)
  await Promise.allSettled([...new Set(chunkUrls)].map((url) => page.fetch(url, { cache: 'reload', signal })))
  page.location.reload()
}
