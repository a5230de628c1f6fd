/** The ids of the computed playlists, which pages mark with a badge. */
export const NEW_SONGS_PLAYLIST_ID = 'new'
export const NETWORK_SONGS_PLAYLIST_ID = 'network'
/** The id of the context that consists of an account's favorites. */
export const FAVORITES_CONTEXT_ID = 'favorite'
/** The beginning of the id of a context that is an own playlist; the playlist's own id follows. It is also the parameter `p` of its page. */
export const OWN_PLAYLIST_CONTEXT_PREFIX = 'my-'

export const isOwnPlaylistContext = (id: string): boolean => id.startsWith(OWN_PLAYLIST_CONTEXT_PREFIX)

/** Returns whether an id is that of a context that the site computes or that belongs to an account. No playlist or category of a catalogue may have it. */
export const isReservedContextId = (id: string): boolean =>
  [NEW_SONGS_PLAYLIST_ID, NETWORK_SONGS_PLAYLIST_ID, FAVORITES_CONTEXT_ID].includes(id) || isOwnPlaylistContext(id)

/** Whether the songs of a context are on the device and not on the server: the favorites with the device's latest changes, or an own playlist. */
export const isDeviceContext = (contextId: string | undefined): contextId is string =>
  contextId !== undefined && (contextId === FAVORITES_CONTEXT_ID || isOwnPlaylistContext(contextId))

/** The greatest `limit` of a list in the API. */
export const LIST_LIMIT_MAX = 10_000
/** The greatest `offset` of a list in the API. */
export const LIST_OFFSET_MAX = 100_000

/** The maximum number of songs of a playlist that a page requests, shows and stores. A longer playlist is cut off there. */
export const PAGE_PLAYLIST_SONGS_MAX = 100_000
