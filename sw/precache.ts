import { cacheNames } from 'workbox-core/cacheNames.js'
import type { WorkboxPlugin } from 'workbox-core/types.js'

/** Returns whether a response is a file of the program and not an HTML page, such as a captive portal's login page or the site's 404 page. */
export const isProgramFile = (response: Response): boolean =>
  response.ok && response.headers.get('content-type')?.startsWith('text/html') !== true

interface ProgramFiles {
  /** Fetches the files that are missing from the precache. Rejects when one of them cannot be fetched. */
  restoreMissing(): Promise<void>
  /** Compares every cached file with the server's and replaces those that differ. Resolves to whether any file was replaced. */
  repair(): Promise<boolean>
}

/** Repairs the precache of this build (absolute URLs) after files were deleted or damaged: by a person, a full disk or a disk error. */
export function createProgramFiles(urls: readonly string[]): ProgramFiles {
  let restorePromise: Promise<void> | undefined
  let repairPromise: Promise<boolean> | undefined
  const openPrecache = () => caches.open(cacheNames.precache)

  async function restoreMissing() {
    const cache = await openPrecache()
    for (const url of urls) {
      if (await cache.match(url)) continue
      const response = await fetch(url)
      if (!isProgramFile(response)) throw new Error(`${url}: not a file of the program (status ${response.status})`)
      await cache.put(url, response)
    }
  }

  /** Resolves to whether the cached file was replaced. A file that cannot be fetched is not replaced. */
  async function repairFile(cache: Cache, url: string): Promise<boolean> {
    // The cache mode `no-cache` revalidates a file by its ETag if the browser's HTTP cache has it.
    const [cachedFile, freshResponse] = await Promise.all([cache.match(url), fetch(url, { cache: 'no-cache' }).catch(() => undefined)])
    if (!freshResponse || !isProgramFile(freshResponse) || (await haveSameBytes(cachedFile, freshResponse.clone()))) return false
    await cache.put(url, freshResponse)
    return true
  }

  async function repairPrecache() {
    const cache = await openPrecache()
    return (await Promise.all(urls.map((url) => repairFile(cache, url)))).includes(true)
  }

  return {
    restoreMissing() {
      restorePromise ??= restoreMissing().finally(() => {
        restorePromise = undefined
      })
      return restorePromise
    },
    repair() {
      repairPromise ??= repairPrecache().finally(() => {
        repairPromise = undefined
      })
      return repairPromise
    },
  }
}

async function haveSameBytes(firstResponse: Response | undefined, otherResponse: Response): Promise<boolean> {
  // Reads a response's body; a body that cannot be read counts as empty.
  const readBytes = (response: Response) => response.arrayBuffer().catch(() => new ArrayBuffer(0))
  if (firstResponse === undefined) return false
  const [firstBytes, otherBytes] = (await Promise.all([readBytes(firstResponse), readBytes(otherResponse)])).map(
    (buffer) => new Uint8Array(buffer),
  )
  return (
    firstBytes !== undefined && firstBytes.length === otherBytes?.length && firstBytes.every((byte, index) => byte === otherBytes[index])
  )
}

/**
 * Timeout of a request during installation. Without the timeout, a stalled request would block the installation. After a timeout, the
 * browser retries the installation later.
 */
export const FETCH_TIMEOUT_MS = 60_000

/** Creates a Workbox plugin that aborts slow requests, rejects HTML responses, and calls `onMissing` when a precached file is missing. */
export const createProgramFilesPlugin = (onMissing: () => void): WorkboxPlugin => ({
  requestWillFetch: async ({ request }) => new Request(request, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) }),
  cacheWillUpdate: async ({ response }) => (isProgramFile(response) ? response : null),
  async cachedResponseWillBeUsed({ cachedResponse, event }) {
    if (!cachedResponse && event.type === 'fetch') onMissing()
    return cachedResponse ?? null
  },
})
