import { isRedirectPath, isServerPath } from '../contract/paths.ts'

// Classifies the requests that the service worker answers. All others go to the network: the API (only the page's database stores rows), link
// previews, downloads, and other paths of the server.

const ASSET_PATH = /^\/assets\//
const PICTURE_PATH = /^\/img\/(song|playlist|member|supporter|feed)\/[^/]+\/(?:[a-z\d]+\/)?\d+$/
/** Matches pictures that stay the same: those of videos, and those whose path contains a version. */
const CONSTANT_PICTURE_PATH = /^\/img\/(?:song\/[^/]+|[a-z]+\/[^/]+\/[a-z\d]+)\/\d+$/
/** Matches the paths of the brand's icons and of the web app manifest. */
const SITE_FILE_PATH = /^\/(icon[\w.-]*\.(svg|png)|favicon\.ico|apple-touch-icon\.png|[\w.-]*\.webmanifest|icons\/[\w.-]+)$/

export type PathKind = 'asset' | 'picture' | 'site-file' | 'redirect' | 'server' | 'page'

/** Classifies a path of this origin. A path of no other kind is a `page`; `isShellPath` then decides whether the host has that page. */
export function classifyPath(urlPath: string): PathKind {
  if (ASSET_PATH.test(urlPath)) return 'asset'
  if (PICTURE_PATH.test(urlPath)) return 'picture'
  if (SITE_FILE_PATH.test(urlPath)) return 'site-file'
  if (isRedirectPath(urlPath)) return 'redirect'
  return isServerPath(urlPath) ? 'server' : 'page'
}

/** Returns whether the picture of a path can be replaced by another one at the same path. */
export const isReplaceablePicture = (path: string): boolean => !CONSTANT_PICTURE_PATH.test(path)

/** Returns whether the value of a shell's `SHELL_PATHS_HEADER` lists `urlPath`. Trailing slashes are ignored. */
export function isShellPath(urlPath: string, shellPathsHeader: string): boolean {
  const pathWithoutSlash = urlPath.replace(/(?<=[^/]|^\/)\/+$/, '')
  return shellPathsHeader === '*' || shellPathsHeader.split(',').includes(pathWithoutSlash)
}

/** Returns whether `html` is a complete document of this site. */
export const isSiteDocument = (html: string): boolean => html.includes('id="site"') && html.trimEnd().endsWith('</html>')

/** Returns the scripts and style sheets that a document loads, without duplicates. */
export function listDocumentAssets(html: string): string[] {
  return [...new Set(html.match(/\/assets\/[\w.-]+\.(?:js|css)\b/g) ?? [])]
}

/** Returns the paths of a picture in all other available widths, nearest width first. */
export function listPicturePathsInOtherWidths(urlPath: string): string[] {
  const widthStart = urlPath.lastIndexOf('/') + 1
  const widthPx = Number(urlPath.slice(widthStart))
  return [160, 320, 640, 1280]
    .filter((otherWidth) => otherWidth !== widthPx)
    .sort((a, b) => Math.abs(a - widthPx) - Math.abs(b - widthPx))
    .map((otherWidth) => `${urlPath.slice(0, widthStart)}${otherWidth}`)
}
