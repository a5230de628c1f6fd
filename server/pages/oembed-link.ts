import { isEmbedKind, OEMBED_PATH } from '../../contract/embed.ts'

/** The media type of oEmbed descriptions as JSON. */
export const OEMBED_TYPE = 'application/json+oembed'

/**
 * Returns the URL of the oEmbed description of a page, by which other sites find its embedded player (https://oembed.com, 'Discovery'); undefined for a
 * page without one.
 * @param urlPath the canonical path and query of the page
 */
export function createOembedUrl(origin: string, urlPath: string | undefined): string | undefined {
  if (urlPath === undefined || !isEmbedKind(urlPath.slice(1).split('?')[0] ?? '')) return undefined
  return `${origin}${OEMBED_PATH}?${new URLSearchParams({ url: origin + urlPath, format: 'json' })}`
}
