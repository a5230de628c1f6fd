import { pageScope } from '../primitives/scope.ts'

/**
 * Turns a chunk that cannot be loaded (an old page, a server with another build, no network) into an error that the route shows with a button
 * to reload. By default the router would reload the page and interrupt the song.
 */
export function handleChunkErrors(page: Window = window): void {
  pageScope.listen(page, 'vite:preloadError', (event) => {
    // The router recognizes errors of dynamic imports by how the browser's message begins, so a prefix hides them from the router.
    event.payload.message = `A part of the page could not be loaded. ${event.payload.message}`
    // The worker's copy of the chunk can be damaged; the worker replaces it before the reload.
    page.navigator.serviceWorker?.controller?.postMessage({ type: 'PART_FAILED' })
  })
}
