/**
 * The prefix of the embedded players, which other sites may frame. No page of the site links to them, so that the page's router and the service worker do
 * not know it.
 */
export const EMBED_PATH = '/embed'
/** The path of the call that describes an embedded player as JSON: https://oembed.com, 'Provider endpoint'. */
export const OEMBED_PATH = `${EMBED_PATH}/oembed`

export type EmbedKind = 'song' | 'playlist' | 'list'

/** The query parameter that names a song or list: on its page, and on its embedded player. */
export const embedParameters: Readonly<Record<EmbedKind, string>> = { song: 's', playlist: 'p', list: 'l' }
export const isEmbedKind = (text: string): text is EmbedKind => Object.hasOwn(embedParameters, text)
