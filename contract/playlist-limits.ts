/** The maximum number of songs of a playlist that a page requests, shows and stores. A longer playlist is cut off there. */
export const PAGE_PLAYLIST_SONGS_MAX = 100_000
