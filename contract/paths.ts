// Paths that are not pages: the service worker passes their requests to the network, the router does not handle links to them, and the server
// responds to errors below `apiAndPicturePrefixes` with JSON.

/** The path of the shell document, which has no route's content. The service worker caches the shell and serves it for every page. */
export const SHELL_URL = '/shell'
/** The response header of the shell document with the paths of this host's pages, separated by commas, or `*` for all paths. */
export const SHELL_PATHS_HEADER = 'x-shell-paths'
/** The path of the OAuth redirect URI for Discord. */
export const DISCORD_CALLBACK_PATH = '/account/link_discord'
export const HEALTH_PATH = '/healthz'
/** The path of the page of a shared playlist. */
export const SHARED_PLAYLIST_PATH = '/list'
/** Prefix of the server's redirects (`/go/random`). The client resolves these redirects while the server is unreachable. */
const REDIRECT_PREFIX = '/go'

/** Prefixes of API calls and pictures, whose error responses are JSON envelopes instead of error pages. */
const apiAndPicturePrefixes = ['/api', '/img'] as const
const serverPrefixes = [...apiAndPicturePrefixes, SHELL_URL, HEALTH_PATH, DISCORD_CALLBACK_PATH] as const

const isPathAtOrBelow = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`)
const hasFileExtension = (path: string) => /\.[a-z0-9]+$/i.test(path)

/** Whether `path` (without a query) is an API call or a picture. */
export const isApiOrPicturePath = (path: string): boolean => apiAndPicturePrefixes.some((prefix) => isPathAtOrBelow(path, prefix))

/** Whether requests for `path` (without a query) always go to the server: API calls, pictures, files, health checks. */
export const isServerPath = (path: string): boolean =>
  hasFileExtension(path) || serverPrefixes.some((prefix) => isPathAtOrBelow(path, prefix))

/** Path prefixes of static files. No page is below them, and every file below them has an extension. */
export const staticFilePrefixes: readonly string[] = ['/assets', '/icons', '/screenshots', '/sitemaps']

/** Whether `path` (without a query) is a redirect of the server. */
export const isRedirectPath = (path: string): boolean => isPathAtOrBelow(path, REDIRECT_PREFIX)

/**
 * Whether `path` (without a query) is that of a shared playlist. Its owner can revoke it at any time, so neither the server nor the service worker
 * stores the document.
 */
export const isRevocablePath = (path: string): boolean => isPathAtOrBelow(path, SHARED_PLAYLIST_PATH)
