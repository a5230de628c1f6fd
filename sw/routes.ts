/**
 * What the service worker answers. Everything else goes to the network as if there were no worker: the API (rows are kept
 * by the page's database alone), link previews, downloads, and what the server answers itself.
 */

/** The server's page without any route's own content: what every page starts from. */
export const SHELL_URL = '/shell'
/** On the shell's answer: the paths that are pages of this host, or `*`. Other addresses are the server's to answer. */
export const SHELL_PATHS_HEADER = 'x-shell-paths'

/** Redirects of the server that the page can follow by itself where there is no network. */
const REDIRECTS = /^\/go\/[a-z]+$/
/** Answered by the server in every case, with an address in the bar or not. */
const SERVER_ONLY = /^\/(api|img|shell|healthz|account\/link_discord)(\/|$)|\.[a-z0-9]+$/i
const ASSET = /^\/assets\//
const PICTURE = /^\/img\/(song|playlist|member|supporter|feed)\/[^/]+\/\d+$/
/** Small files of the brand that a page names: icons and the manifest. */
const SITE_FILE = /^\/(icon[\w.-]*\.(svg|png)|favicon\.ico|apple-touch-icon\.png|[\w.-]*\.webmanifest|icons\/[\w.-]+)$/

export type PathKind = 'asset' | 'picture' | 'site-file' | 'redirect' | 'server' | 'page'

/** How a path of this origin is treated; a `page` is one only where the shell's paths name it. */
export function kindOf(path: string): PathKind {
  if (ASSET.test(path)) return 'asset'
  if (PICTURE.test(path)) return 'picture'
  if (SITE_FILE.test(path)) return 'site-file'
  if (REDIRECTS.test(path)) return 'redirect'
  return SERVER_ONLY.test(path) ? 'server' : 'page'
}

/** Whether `path` is among the paths that a shell's header names. A slash at the end counts for nothing. */
export function isShellPath(path: string, header: string): boolean {
  const bare = path.replace(/(?<=.)\/+$/, '')
  return header === '*' || header.split(',').includes(bare)
}

/** Whether this is a page of the site, and whole. */
export const isDocument = (html: string): boolean => html.includes('id="site"') && html.trimEnd().endsWith('</html>')

/** The scripts and style sheets that a document loads. */
export function partsOf(html: string): string[] {
  return [...new Set(html.match(/\/assets\/[\w.-]+\.(?:js|css)\b/g) ?? [])]
}

/** The addresses of a picture in the widths that pages ask for, nearest first. */
export function otherWidths(path: string): string[] {
  const asked = Number(/\d+$/.exec(path)?.[0])
  return [160, 320, 640, 1280]
    .filter((width) => width !== asked)
    .sort((a, b) => Math.abs(a - asked) - Math.abs(b - asked))
    .map((width) => path.replace(/\d+$/, String(width)))
}
