import type { InitialData } from '../../contract/initial-data.ts'
import { createPageAddress, NOT_FOUND_ADDRESS } from '../../contract/pages.ts'
import type { Site } from '../../contract/site.ts'
import { getNavigationEntry } from './navigation-entry.ts'

/** Returns the site that the server embedded in the HTML, or `undefined` if there is none. */
export function readSite(page: Document): Site | undefined {
  const siteText = page.getElementById('site')?.textContent?.trim()
  if (!siteText) return undefined
  try {
    // The cast is safe, because the server wrote the JSON by the same contract.
    return JSON.parse(siteText) as Site
  } catch {
    return undefined
  }
}

export async function fetchSite(fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis)): Promise<Site> {
  const response = await fetch('/api/site', { headers: { Accept: 'application/json' } })
  const body: unknown = await response.json()
  if (typeof body !== 'object' || body === null || !('data' in body) || !body.data) throw new Error('The site could not be read.')
  return body.data as Site
}

/** Returns the rows that the server embedded in this document for its address; an empty object if it embedded none. */
export function readInitialData(page: Document): InitialData {
  const initialDataText = page.getElementById('initial-data')?.textContent
  if (!initialDataText) return {}
  try {
    // The cast is safe, because our own server wrote the JSON by the same contract.
    return JSON.parse(initialDataText) as InitialData
  } catch {
    return {}
  }
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
