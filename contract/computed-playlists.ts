/** The ids of the computed playlists, which pages show with a badge. */
export const NEW_PLAYLIST_ID = 'new'
export const NETWORK_PLAYLIST_ID = 'network'
/** The context id of an account's favorites. Playlists and categories may not have this id. */
export const FAVORITES_ID = 'favorite'
