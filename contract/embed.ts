/**
 * The prefix of the embedded players, which other sites may frame. No page of the site links to an embedded player, so the client's router and the
 * service worker ignore this prefix.
 */
export const EMBED_PATH = '/embed'
/** The path of the oEmbed endpoint, which describes an embedded player as JSON (https://oembed.com). */
export const OEMBED_PATH = `${EMBED_PATH}/oembed`

export type EmbedKind = 'song' | 'playlist' | 'list'

/** For each kind, the query parameter that contains the id of the song or list: in the URL of its page, and in that of its embedded player. */
export const embedParameters: Readonly<Record<EmbedKind, string>> = { song: 's', playlist: 'p', list: 'l' }
export const isEmbedKind = (text: string): text is EmbedKind => Object.hasOwn(embedParameters, text)
