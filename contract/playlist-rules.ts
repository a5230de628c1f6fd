/** The ids of the computed playlists, which pages mark with a badge. */
export const NEW_SONGS_PLAYLIST_ID = 'new'
export const NETWORK_SONGS_PLAYLIST_ID = 'network'
/** The id of the context that consists of an account's favorites. No playlist or category may have this id. */
export const FAVORITES_CONTEXT_ID = 'favorite'

/** The greatest `limit` of a list in the API. */
export const LIST_LIMIT_MAX = 10_000
/** The greatest `offset` of a list in the API. */
export const LIST_OFFSET_MAX = 100_000

/** The maximum number of songs of a playlist that a page requests, shows and stores. A longer playlist is cut off there. */
export const PAGE_PLAYLIST_SONGS_MAX = 100_000
