import { FILE_WITHIN_MS } from './precache.ts'
import { isDocument, isShellPath, partsOf, SHELL_PATHS_HEADER, SHELL_URL } from './routes.ts'

interface ShellOptions {
  /** One cache for each build: a worker never starts a page with the document of another one. */
  cacheName: string
  /** Whether a script or style sheet is part of this build. */
  isOwnPart: (path: string) => boolean
  /** The server has another build than this one. */
  onOtherBuild: () => void
}

const CACHE_PREFIX = 'shell-'

/** The document that every page starts from, as the server wrote it for this origin: brand, host class and settings stand in it. */
export function createShell({ cacheName, isOwnPart, onOtherBuild }: ShellOptions) {
  const name = CACHE_PREFIX + cacheName
  /** What was read and found good since this worker started: reading it again would keep the next page waiting. */
  let known: { html: string; headers: Headers } | undefined

  /** @returns whether the server's document belongs to this build, and was therefore kept. @throws where there is no answer of the site */
  async function fetchShell(): Promise<boolean> {
    // Validated by its ETag, so mostly a 304 to the browser's own cache.
    const response = await fetch(SHELL_URL, {
      cache: 'no-cache',
      credentials: 'same-origin',
      redirect: 'error',
      priority: 'low',
      signal: AbortSignal.timeout(FILE_WITHIN_MS),
    })
    const html = await response.clone().text()
    // A hotel's log-in page is no answer of the site.
    if (!response.ok || !isDocument(html)) throw new Error(`No shell: status ${response.status}`)
    if (!isOwn(html)) return false
    known = { html, headers: response.headers }
    await (await caches.open(name)).put(SHELL_URL, response)
    return true
  }

  function isOwn(html: string): boolean {
    const parts = partsOf(html)
    return parts.length > 0 && parts.every(isOwnPart)
  }

  /** The document, unless it is not there, or is no document of this build any more, or cannot be read. */
  async function match(): Promise<Response | undefined> {
    try {
      known ??= await read()
    } catch {
      return undefined
    }
    return known && new Response(known.html, { headers: known.headers })
  }

  async function read(): Promise<typeof known> {
    const kept = await (await caches.open(name)).match(SHELL_URL, { ignoreVary: true })
    const html = await kept?.text()
    return kept !== undefined && html !== undefined && isDocument(html) && isOwn(html) ? { html, headers: kept.headers } : undefined
  }

  return {
    match,
    async install(): Promise<void> {
      if (!(await fetchShell())) throw new Error('The server has another build by now.')
    },
    /** The document for `path`, or `undefined` where that is no page of this host. */
    async matchPage(path: string): Promise<Response | undefined> {
      const shell = await match()
      return shell !== undefined && isShellPath(path, shell.headers.get(SHELL_PATHS_HEADER) ?? '*') ? shell : undefined
    },
    /** Takes over changed settings, and makes up for a document that is gone. Without an answer, all stays as it is. */
    async refresh(): Promise<void> {
      const isOwn = await fetchShell().catch(() => true)
      if (!isOwn) onOtherBuild()
    },
    async dropOthers(): Promise<void> {
      for (const each of await caches.keys()) if (each.startsWith(CACHE_PREFIX) && each !== name) await caches.delete(each)
    },
  }
}
