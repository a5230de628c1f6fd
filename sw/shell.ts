import { SHELL_PATHS_HEADER, SHELL_URL } from '../contract/paths.ts'
import { FETCH_TIMEOUT_MS } from './precache.ts'
import { isDocument, isShellPath, listAssets } from './routes.ts'

interface ShellOptions {
  /** The suffix of the cache name, different for each build, so that a worker never uses another build's document. */
  cacheName: string
  /** Whether a script or style sheet belongs to this build. */
  isOwnAsset: (path: string) => boolean
  /** Called when the server's document belongs to another build. */
  onOtherBuild: () => void
}

const CACHE_PREFIX = 'shell-'

/**
 * Caches the app shell: an HTML document that can be served for every page of the site. The server renders it with the brand and settings
 * of the host.
 */
export function createShell({ cacheName, isOwnAsset, onOtherBuild }: ShellOptions) {
  const fullCacheName = CACHE_PREFIX + cacheName
  /** A copy of the validated document in memory, so that a navigation does not wait for the cache. */
  let loadedShell: { html: string; headers: Headers } | undefined

  /**
   * Fetches the document and caches it if it belongs to this build.
   * @returns whether it belongs to this build
   * @throws if the response is not a document of this site
   */
  async function fetchShell(): Promise<boolean> {
    // The cache mode `no-cache` revalidates by ETag, so that most responses are 304 and have no body.
    const response = await fetch(SHELL_URL, {
      cache: 'no-cache',
      credentials: 'same-origin',
      redirect: 'error',
      priority: 'low',
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    })
    const html = await response.clone().text()
    // A captive portal's login page is not a document of the site.
    if (!response.ok || !isDocument(html)) throw new Error(`${SHELL_URL}: not a document of this site (status ${response.status})`)
    if (!isOwnDocument(html)) return false
    loadedShell = { html, headers: response.headers }
    await (await caches.open(fullCacheName)).put(SHELL_URL, response)
    return true
  }

  function isOwnDocument(html: string): boolean {
    const assets = listAssets(html)
    return assets.length > 0 && assets.every(isOwnAsset)
  }

  /** Resolves to the cached document, or `undefined` if it is missing, unreadable or of another build. */
  async function matchShell(): Promise<Response | undefined> {
    try {
      loadedShell ??= await readCached()
    } catch {
      return undefined
    }
    return loadedShell && new Response(loadedShell.html, { headers: loadedShell.headers })
  }

  async function readCached(): Promise<typeof loadedShell> {
    const cachedShell = await (await caches.open(fullCacheName)).match(SHELL_URL, { ignoreVary: true })
    const html = await cachedShell?.text()
    const isValid = cachedShell !== undefined && html !== undefined && isDocument(html) && isOwnDocument(html)
    return isValid ? { html, headers: cachedShell.headers } : undefined
  }

  return {
    match: matchShell,
    async install(): Promise<void> {
      if (!(await fetchShell())) throw new Error(`${SHELL_URL}: the server has another build`)
    },
    /** Resolves to the document for `path`, or `undefined` if the document is not cached or if this host has no page at `path`. */
    async matchPage(path: string): Promise<Response | undefined> {
      const shell = await matchShell()
      return shell !== undefined && isShellPath(path, shell.headers.get(SHELL_PATHS_HEADER) ?? '*') ? shell : undefined
    },
    /** Fetches the document again, to pick up changed settings or replace a missing document. A failed request changes nothing. */
    async refresh(): Promise<void> {
      const isOfOwnBuild = await fetchShell().catch(() => true)
      if (!isOfOwnBuild) onOtherBuild()
    },
    async deleteOtherBuilds(): Promise<void> {
      for (const each of await caches.keys()) if (each.startsWith(CACHE_PREFIX) && each !== fullCacheName) await caches.delete(each)
    },
  }
}
