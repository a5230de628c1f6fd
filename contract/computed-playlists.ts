/** The ids of the computed playlists. They show badges of their own. */
export const NEW_PLAYLIST_ID = 'new'
export const NETWORK_PLAYLIST_ID = 'network'
/** What is played as an account's favorites; no playlist or category may have it as its id. */
export const FAVORITES_ID = 'favorite'
