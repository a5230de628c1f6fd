import type { HostSite } from '../http/hosts.ts'
import type { CachedResponse, ReadCache } from '../http/read-cache.ts'
import type { PageGate, PageRequester } from './page-gate.ts'

export interface CreatedResponse {
  response: CachedResponse
  /** Whether the response may be cached for later requests. */
  isCacheable: boolean
}

type CreateResponse = (host: HostSite, address: string) => Promise<CreatedResponse>

interface DocumentLoaderDeps {
  cache: ReadCache
  /** Returns the revision of the storage, which a cached document depends on. */
  readRevision: () => number
  gate: PageGate<CachedResponse>
}

/** Creates the functions that return the document for a URL path of a host, from the cache or newly created. */
export function createDocumentLoader({ cache, readRevision, gate }: DocumentLoaderDeps) {
  async function createDocument(host: HostSite, pageAddress: string, createResponse: CreateResponse): Promise<CachedResponse> {
    const revision = readRevision()
    const { response, isCacheable } = await createResponse(host, pageAddress)
    if (isCacheable) cache.set(host.key + pageAddress, revision, response)
    return response
  }

  return {
    /**
     * Returns a document. If it is not in the cache, it is created when its turn comes, once for all simultaneous requests.
     * @throws ApiError 503 if too many documents wait
     */
    async load(host: HostSite, pageAddress: string, requester: PageRequester, createResponse: CreateResponse): Promise<CachedResponse> {
      const key = host.key + pageAddress
      return cache.get(key) ?? gate.pass(key, requester, () => createDocument(host, pageAddress, createResponse))
    },
    /** Returns a document. If it is not in the cache, it is created immediately, because the caller's own document has its turn. */
    loadInTurn: async (host: HostSite, address: string, createResponse: CreateResponse): Promise<CachedResponse> =>
      cache.get(host.key + address) ?? createDocument(host, address, createResponse),
  }
}
