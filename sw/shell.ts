import { SHELL_PATHS_HEADER, SHELL_URL } from '../contract/paths.ts'
import { isShellPath } from './routes.ts'
import { type SiteDocument, type SiteDocuments, toResponse } from './site-documents.ts'

interface ShellOptions {
  /** The suffix of the cache name, different for each build, so that a worker never uses another build's document. */
  cacheName: string
  documents: SiteDocuments
  /** Called when the server's document belongs to another build. */
  onOtherBuild: () => void
  /** Called when the server's document differs from the cached one, because a setting or the brand's texts have changed. */
  onChange: () => Promise<void>
}

const CACHE_PREFIX = 'shell-'

/**
 * Caches the app shell: an HTML document that can be served for every page of the site. The server renders it with the brand and settings
 * of the host.
 */
export function createAppShell({ cacheName, documents, onOtherBuild, onChange }: ShellOptions) {
  const fullCacheName = CACHE_PREFIX + cacheName
  /** A copy of the validated document in memory, so that a navigation does not wait for the cache. */
  let loadedShell: SiteDocument | undefined

  /**
   * Fetches the document and caches it if it belongs to this build.
   * @returns whether it belongs to this build
   * @throws if the response is not a document of this site
   */
  async function fetchShell(): Promise<boolean> {
    const shellResponse = await documents.fetch(SHELL_URL)
    if (shellResponse === undefined) return false
    const isShellChanged = loadedShell !== undefined && loadedShell.html !== shellResponse.html
    loadedShell = shellResponse
    await (await caches.open(fullCacheName)).put(SHELL_URL, toResponse(shellResponse))
    if (isShellChanged) await onChange()
    return true
  }

  /** Resolves to the cached document, or `undefined` if it is missing, unreadable or of another build. */
  async function readShell(): Promise<SiteDocument | undefined> {
    loadedShell ??= await documents.readCached(fullCacheName, SHELL_URL)
    return loadedShell
  }

  return {
    async match(): Promise<Response | undefined> {
      const shell = await readShell()
      return shell && toResponse(shell)
    },
    async install(): Promise<void> {
      if (!(await fetchShell())) throw new Error(`${SHELL_URL}: the server has another build`)
    },
    /** Resolves to the document for `urlPath`, or `undefined` if the document is not cached or if this host has no page at `urlPath`. */
    async matchPage(urlPath: string): Promise<Response | undefined> {
      const shell = await readShell()
      return shell && isShellPath(urlPath, shell.headers.get(SHELL_PATHS_HEADER) ?? '*') ? toResponse(shell) : undefined
    },
    /**
     * Fetches the document again, because settings may have changed or the cached document may be missing. A failed request changes
     * nothing.
     */
    async refresh(): Promise<void> {
      const isOfOwnBuild = await fetchShell().catch(() => true)
      if (!isOfOwnBuild) onOtherBuild()
    },
    async deleteOtherBuilds(): Promise<void> {
      for (const each of await caches.keys()) if (each.startsWith(CACHE_PREFIX) && each !== fullCacheName) await caches.delete(each)
    },
  }
}
