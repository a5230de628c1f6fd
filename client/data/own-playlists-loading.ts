/** The text shown while this device still fetches the account's playlists, also with changes and exports that need all songs of a playlist. */
export const PLAYLISTS_LOADING_TEXT = 'Your playlists are still loading.'
