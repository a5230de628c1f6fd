import { createPageAddress } from '../contract/pages.ts'
import { isRevocablePath } from '../contract/paths.ts'
import { NoSuchDocumentError, type SiteDocuments, toResponse } from './site-documents.ts'

interface StoredPagesOptions {
  /** The suffix of the cache name, different for each build. */
  cacheName: string
  documents: SiteDocuments
}

const CACHE_PREFIX = 'pages-'
const PAGES_MAX = 40
/** A stored document that is younger than this is not fetched again. */
const FRESH_PAGE_MAX_AGE_MS = 600_000
/**
 * Of a longer document, such as that of a long list, only the date is stored: parsing it would take longer than rendering the rows of the device.
 */
const PAGE_HTML_MAX_LENGTH = 1_000_000

/**
 * Caches the documents of visited pages: when such a page is opened again, its content is painted before any script runs. The page then shows the rows
 * of the device, which may be newer.
 */
export function createStoredPages({ cacheName, documents }: StoredPagesOptions) {
  const fullCacheName = CACHE_PREFIX + cacheName

  /** The address under which a page is cached: other parameters, such as those of a campaign or a one-time code, do not change its document. */
  const createKey = ({ origin, pathname, search }: URL) => origin + createPageAddress(pathname, search)

  async function storePage(pageUrl: URL): Promise<void> {
    if (isRevocablePath(pageUrl.pathname)) return
    const url = createKey(pageUrl)
    const pageCache = await caches.open(fullCacheName)
    const ageMs = Date.now() - Date.parse((await pageCache.match(url))?.headers.get('date') ?? '')
    // The age is NaN if the document is not stored, and negative if the device's clock was set back.
    if (ageMs >= 0 && ageMs < FRESH_PAGE_MAX_AGE_MS) return
    try {
      const pageResponse = await documents.fetch(url)
      if (pageResponse === undefined) return
      const storedHtml = pageResponse.html.length > PAGE_HTML_MAX_LENGTH ? '' : pageResponse.html
      // The old entry is deleted first, so that the new entry is the last one: `keys` returns the entries in the order in which they were
      // added.
      await pageCache.delete(url)
      await pageCache.put(url, toResponse({ ...pageResponse, html: storedHtml }))
      await deleteOldestPages(pageCache)
    } catch (error) {
      if (error instanceof NoSuchDocumentError) await pageCache.delete(url)
    }
  }

  /** Deletes the pages beyond `PAGES_MAX`: first those of songs, lists and searches, of which music that plays on opens many. */
  async function deleteOldestPages(pageCache: Cache): Promise<void> {
    const requests = await pageCache.keys()
    const deletionOrder = [...requests.filter(({ url }) => url.includes('?')), ...requests.filter(({ url }) => !url.includes('?'))]
    await Promise.all(deletionOrder.slice(0, Math.max(0, requests.length - PAGES_MAX)).map((request) => pageCache.delete(request)))
  }

  return {
    /** Fetches and caches the document of a page. A failed request changes nothing; a page that is gone is deleted. */
    store: (url: URL): Promise<void> => storePage(url).catch(() => undefined),
    async match(url: URL): Promise<Response | undefined> {
      const page = await documents.readCached(fullCacheName, createKey(url))
      return page && toResponse(page)
    },
    async deleteAll(): Promise<void> {
      await caches.delete(fullCacheName)
    },
    async deleteOtherBuilds(): Promise<void> {
      for (const each of await caches.keys()) if (each.startsWith(CACHE_PREFIX) && each !== fullCacheName) await caches.delete(each)
    },
  }
}
