import { isEmbedKind, OEMBED_PATH } from '../../contract/embed.ts'

/**
 * Returns the header `Link` by which other sites find the embedded player of a page (https://oembed.com, 'Discovery'); undefined for a page without one.
 * @param urlPath the canonical path and query of the page
 */
export function createOembedLink(origin: string, urlPath: string | undefined): string | undefined {
  if (urlPath === undefined || !isEmbedKind(urlPath.slice(1).split('?')[0] ?? '')) return undefined
  const query = new URLSearchParams({ url: origin + urlPath, format: 'json' })
  return `<${origin}${OEMBED_PATH}?${query}>; rel="alternate"; type="application/json+oembed"`
}
