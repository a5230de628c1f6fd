/** The ids of the computed playlists, which pages mark with a badge. */
export const NEW_SONGS_PLAYLIST_ID = 'new'
export const NETWORK_SONGS_PLAYLIST_ID = 'network'
/** The context id of an account's favorites. A context is the list from which a song is played. */
export const FAVORITES_CONTEXT_ID = 'favorite'
/** The prefix of the context id of an own playlist; the playlist's id follows. The page of an own playlist has this context id as its parameter `p`. */
export const OWN_PLAYLIST_CONTEXT_PREFIX = 'my-'

export const isOwnPlaylistContext = (id: string): boolean => id.startsWith(OWN_PLAYLIST_CONTEXT_PREFIX)

/** Returns the context id of the playlist that its owner shares under a token. */
export const createSharedPlaylistContextId = (token: string): string => `list-${token}`

/** Returns the token of the shared playlist with a context id; `undefined` for the id of another list. */
export const readSharedPlaylistToken = (contextId: string): string | undefined => /^list-([\w-]{22})$/.exec(contextId)?.[1]

/**
 * Returns whether an id is reserved for a list that the site computes or that belongs to an account. No playlist or category of a catalogue may have
 * a reserved id.
 */
export const isReservedContextId = (songContextId: string): boolean =>
  [NEW_SONGS_PLAYLIST_ID, NETWORK_SONGS_PLAYLIST_ID, FAVORITES_CONTEXT_ID].includes(songContextId) ||
  isOwnPlaylistContext(songContextId) ||
  readSharedPlaylistToken(songContextId) !== undefined

/**
 * Whether the songs of a context are read from the device instead of the server: the favorites with the device's latest changes, an own playlist, or a
 * shared playlist, which the server's song pages do not know as a context.
 */
export const isContextOnDevice = (contextId: string | undefined): contextId is string =>
  contextId !== undefined &&
  (contextId === FAVORITES_CONTEXT_ID || isOwnPlaylistContext(contextId) || readSharedPlaylistToken(contextId) !== undefined)

/** The greatest `limit` of a list in the API. */
export const LIST_LIMIT_MAX = 10_000
/** The greatest `offset` of a list in the API. */
export const LIST_OFFSET_MAX = 100_000

/** The maximum number of songs of a playlist that a page requests, shows and stores. A longer playlist is cut off at this number. */
export const CLIENT_PLAYLIST_SONGS_MAX = 100_000
