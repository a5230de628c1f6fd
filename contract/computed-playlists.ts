/** The ids of the computed playlists. They show badges of their own. */
export const NEW_PLAYLIST_ID = 'new'
export const NETWORK_PLAYLIST_ID = 'network'
