import type { InitialData } from '../../contract/initial-data.ts'
import { createPageAddress, NOT_FOUND_ADDRESS } from '../../contract/pages.ts'
import type { Site } from '../../contract/site.ts'
import { getNavigationEntry } from './navigation-entry.ts'

/** Returns the JSON that the server embedded in the HTML, or `undefined` if there is none. */
function readEmbeddedJson<T>(page: Document, elementId: string): T | undefined {
  try {
    // The cast is safe, because the server wrote the JSON by the same contract.
    return JSON.parse(page.getElementById(elementId)?.textContent ?? '') as T
  } catch {
    return undefined
  }
}

/** Returns the site that the server embedded in the HTML, or `undefined` if there is none. */
export const readSite = (page: Document): Site | undefined => readEmbeddedJson(page, 'site')

/** Returns the rows that the server embedded in this document for its address; an empty object if it embedded none. */
export const readInitialData = (page: Document): InitialData => readEmbeddedJson(page, 'initial-data') ?? {}

/** Requests the site. Rejects if the response is not a site. */
export async function fetchSite(fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis)): Promise<Site> {
  const response = await fetch('/api/site', { headers: { Accept: 'application/json' } })
  const { data }: { data?: Site } = await response.json()
  if (!data) throw new Error('The site could not be read.')
  return data
}

/**
 * Whether the markup was rendered for the URL in the address bar. False for the app shell, which the service worker serves for any
 * URL.
 */
export const isPrerendered = (root: Element, location: Location): boolean =>
  root.getAttribute('data-path') === createPageAddress(location.pathname, location.search)

/** Whether the server answered the address with 'not found', until the first page is rendered in this document. */
export const isNotFoundDocument = (): boolean => globalThis.document?.getElementById('root')?.dataset.path === NOT_FOUND_ADDRESS

/**
 * Whether the rows in this document are as new as a response of the server. A document that was opened again by Back or Forward, or that
 * the service worker served from a cache, may be days old: the rows on the device may be newer.
 */
export const isDocumentCurrent = (): boolean =>
  // On the server, Node.js 20 has no `navigator`.
  !globalThis.navigator?.serviceWorker?.controller && getNavigationEntry()?.type !== 'back_forward'
