import type { HostSite } from '../http/hosts.ts'
import type { CachedResponse, ReadCache } from '../http/read-cache.ts'

export interface CreatedResponse {
  response: CachedResponse
  /** Whether the response may be cached for later requests. */
  isCacheable: boolean
}

interface DocumentLoaderDeps {
  cache: ReadCache
  /** Returns the revision of the storage, which a cached document depends on. */
  readRevision: () => number
}

/**
 * Creates a function that returns the document for a URL path of a host. The document comes from the cache, or is created once for all simultaneous
 * requests.
 */
export function createDocumentLoader({ cache, readRevision }: DocumentLoaderDeps) {
  /** Documents being created, by storage revision, host and address; simultaneous requests share them. */
  const pendingDocuments = new Map<string, Promise<CachedResponse>>()

  return async function loadDocument(
    host: HostSite,
    address: string,
    createResponse: (host: HostSite, address: string) => Promise<CreatedResponse>,
  ): Promise<CachedResponse> {
    const cachedDocument = cache.get(host.key + address)
    if (cachedDocument !== undefined) return cachedDocument
    const revision = readRevision()
    const documentKey = `${revision} ${host.key} ${address}`
    let pendingDocument = pendingDocuments.get(documentKey)
    if (pendingDocument === undefined) {
      pendingDocument = (async () => {
        const { response, isCacheable: cacheable } = await createResponse(host, address)
        if (cacheable) cache.set(host.key + address, revision, response)
        return response
      })().finally(() => pendingDocuments.delete(documentKey))
      pendingDocuments.set(documentKey, pendingDocument)
    }
    return pendingDocument
  }
}
