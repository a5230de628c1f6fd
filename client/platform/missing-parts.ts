/**
 * A part of the program that does not arrive (an old page, a server that has it no more, no network) is an error that the
 * route shows, with a way to reload. Left as it is, the router would reload by itself, and cut off the song that plays.
 */
export function explainMissingParts(page: Window = window): void {
  page.addEventListener('vite:preloadError', (event) => {
    // The router knows such errors by how the browser's own words begin.
    event.payload.message = `A part of the page could not be loaded. ${event.payload.message}`
    // What the worker has of it may be damaged: after a reload it is not.
    page.navigator.serviceWorker?.controller?.postMessage({ type: 'PART_FAILED' })
  })
}
