import { FETCH_TIMEOUT_MS } from './precache.ts'
import { isSiteDocument, listDocumentAssets } from './routes.ts'

/** An HTML document of this site and this build. */
export interface SiteDocument {
  html: string
  headers: Headers
}

/** The server has no page at an address, or none any more. */
export class NoSuchDocumentError extends Error {}

export interface SiteDocumentsOptions {
  /** Whether a script or style sheet belongs to this build. */
  isOwnAsset: (path: string) => boolean
}

/** Reads HTML documents of this site from the server and from caches. */
export function createSiteDocuments({ isOwnAsset }: SiteDocumentsOptions) {
  function isOwnDocument(html: string): boolean {
    const assets = listDocumentAssets(html)
    return assets.length > 0 && assets.every(isOwnAsset)
  }

  return {
    /**
     * Fetches a document. Resolves to `undefined` if it belongs to another build.
     * @throws NoSuchDocumentError if the server answers 404 or 410
     * @throws Error if the response is not a document of this site
     */
    async fetch(url: string): Promise<SiteDocument | undefined> {
      // The cache mode `no-cache` revalidates by ETag, so that most responses are 304 and have no body.
      const response = await fetch(url, {
        cache: 'no-cache',
        credentials: 'same-origin',
        redirect: 'error',
        priority: 'low',
        signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      })
      if (response.status === 404 || response.status === 410) throw new NoSuchDocumentError(url)
      const documentHtml = await response.text()
      // A captive portal's login page is not a document of the site.
      if (!response.ok || !isSiteDocument(documentHtml)) throw new Error(`${url}: not a document of this site (status ${response.status})`)
      return isOwnDocument(documentHtml) ? { html: documentHtml, headers: response.headers } : undefined
    },
    /** Reads a cached document. Resolves to `undefined` if it is missing, unreadable, truncated or of another build. */
    async readCached(cacheName: string, url: string): Promise<SiteDocument | undefined> {
      try {
        const response = await (await caches.open(cacheName)).match(url, { ignoreVary: true })
        const documentHtml = await response?.text()
        return response && documentHtml !== undefined && isSiteDocument(documentHtml) && isOwnDocument(documentHtml)
          ? { html: documentHtml, headers: response.headers }
          : undefined
      } catch {
        return undefined
      }
    },
  }
}
export type SiteDocuments = ReturnType<typeof createSiteDocuments>

export const toResponse = ({ html, headers }: SiteDocument): Response => new Response(html, { headers })
