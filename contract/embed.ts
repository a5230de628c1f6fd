import { EMBED_PATH } from './paths.ts'

/** The path of the call that describes an embedded player as JSON: https://oembed.com, 'Provider endpoint'. */
export const OEMBED_PATH = `${EMBED_PATH}/oembed`

export type EmbedKind = 'song' | 'playlist' | 'list'

/** The query parameter that names a song or list: on its page, and on its embedded player. */
export const embedParameters: Readonly<Record<EmbedKind, string>> = { song: 's', playlist: 'p', list: 'l' }
export const isEmbedKind = (text: string): text is EmbedKind => Object.hasOwn(embedParameters, text)
