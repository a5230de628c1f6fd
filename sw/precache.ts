import { cacheNames } from 'workbox-core/cacheNames.js'
import { unpackFiles } from '../contract/program-pack.ts'

/**
 * Timeout of a request during installation. Without the timeout, a stalled request would block the installation. After a timeout, the
 * browser retries the installation later.
 */
export const FETCH_TIMEOUT_MS = 60_000
/**
 * If at least this many files are missing, the pack (one file that contains all of them) is fetched instead. Usually, fewer files are
 * missing after an update, and all files at a first installation.
 */
const PACK_MIN_FILES = 40
/** How many files are fetched at the same time. A browser refuses requests if too many wait, and a page needs some of its connections. */
const MAX_PARALLEL_FETCHES = 6
const contentTypes: Record<string, string> = { js: 'text/javascript', css: 'text/css', woff2: 'font/woff2', wasm: 'application/wasm' }

export const isHtmlPage = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('text/html') === true

/**
 * Returns whether a response is a file of this site and not an HTML page, such as the login page of a captive portal or of a proxy, or the
 * site's 404 page.
 */
export const isSiteFile = (response: Response): boolean => response.ok && !isHtmlPage(response)

/** Fetches a file of the program. @throws if the response is an error or an HTML page */
async function fetchProgramFile(url: string): Promise<Response> {
  const response = await fetch(url, { credentials: 'same-origin', priority: 'low', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
  if (!isSiteFile(response)) throw new Error(`${url}: not a file of the program (status ${response.status})`)
  return response
}

interface ProgramFiles {
  has(url: string): boolean
  /** Fetches the files that are missing from the precache. Rejects when one of them cannot be fetched or stored. */
  fetchMissingFiles(): Promise<void>
  /** Compares every cached file with the server's and replaces those that differ. Resolves to whether any file was replaced. */
  repairFiles(): Promise<boolean>
}

interface ProgramFilesDeps {
  /** The absolute URLs of this build's files. */
  urls: readonly string[]
  /** The URL of the pack, one file that contains all of these files. */
  packUrl: string
}

/**
 * The files of this build in the precache: fetched at installation, and again after they were deleted or damaged by a person, a full disk or a disk
 * error.
 */
export function createProgramFiles({ urls, packUrl }: ProgramFilesDeps): ProgramFiles {
  const urlSet = new Set(urls)
  let fetchPromise: Promise<void> | undefined
  let repairPromise: Promise<boolean> | undefined
  const openPrecache = () => caches.open(cacheNames.precache)

  /** Returns the files of the pack as responses by URL. The result is empty if the server no longer has the pack of this build. */
  async function fetchPack(): Promise<Map<string, Response>> {
    try {
      const response = await fetchProgramFile(packUrl)
      const unpackedFiles = unpackFiles(new Uint8Array(await response.arrayBuffer()))
      // The headers of the pack are kept, because a web worker whose script comes from the pack needs their Content-Security-Policy.
      const headers = new Headers(response.headers)
      for (const name of ['content-encoding', 'content-length', 'etag', 'last-modified']) headers.delete(name)
      return new Map(
        unpackedFiles.map(({ path, bytes }) => {
          headers.set('content-type', contentTypes[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream')
          return [new URL(path, location.origin).href, new Response(bytes, { headers })]
        }),
      )
    } catch {
      return new Map()
    }
  }

  async function fetchMissingFiles() {
    const precacheCache = await openPrecache()
    const cachedUrls = new Set((await precacheCache.keys()).map(({ url }) => url))
    const missingUrls = urls.filter((url) => !cachedUrls.has(url))
    const packedFiles = missingUrls.length < PACK_MIN_FILES ? new Map<string, Response>() : await fetchPack()
    const pendingUrls = missingUrls.filter((url) => !packedFiles.has(url))
    await Promise.all(
      missingUrls.map(async (url) => {
        const file = packedFiles.get(url)
        if (file) await precacheCache.put(url, file)
      }),
    )
    async function fetchPendingFiles() {
      for (let url = pendingUrls.shift(); url !== undefined; url = pendingUrls.shift())
        await precacheCache.put(url, await fetchProgramFile(url))
    }
    await Promise.all(Array.from({ length: MAX_PARALLEL_FETCHES }, fetchPendingFiles))
  }

  /** Resolves to whether the cached file was replaced. A file that cannot be fetched is not replaced. */
  async function repairFile(cache: Cache, url: string): Promise<boolean> {
    // The cache mode `no-cache` revalidates a file by its ETag if the browser's HTTP cache has it.
    const [cachedFile, freshResponse] = await Promise.all([cache.match(url), fetch(url, { cache: 'no-cache' }).catch(() => undefined)])
    if (!freshResponse || !isSiteFile(freshResponse) || (await haveSameBytes(cachedFile, freshResponse.clone()))) return false
    await cache.put(url, freshResponse)
    return true
  }

  async function repairPrecache() {
    const cache = await openPrecache()
    return (await Promise.all(urls.map((url) => repairFile(cache, url)))).includes(true)
  }

  return {
    has: (url) => urlSet.has(url),
    fetchMissingFiles() {
      fetchPromise ??= fetchMissingFiles().finally(() => {
        fetchPromise = undefined
      })
      return fetchPromise
    },
    repairFiles() {
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
