// Limits and messages of followed artists, which pages and the server both apply. This file contains no schemas, because pages that import it would load
// the schema library as well.

/** Maximum number of artists that an account or a device follows. */
export const FOLLOWS_MAX = 500
/** Maximum number of changes in one call of `/follow/sync`. */
export const FOLLOW_CHANGES_MAX = 500
export const ARTIST_NAME_MAX_LENGTH = 300
/** The number of newest songs of followed artists that are listed. */
export const FOLLOWED_SONGS_MAX = 100

export const followMessages = {
  full: 'You follow 500 artists, the most there can be. Unfollow one first.',
  noArtist: 'There is no such artist.',
} as const

/**
 * The key in localStorage of the height of the songs of followed artists on /latest, as a CSS length. A script in the head of each page copies the height to
 * the custom property `FOLLOWED_HEIGHT_PROPERTY` of the root element, so that the news have their place before the first paint.
 */
export const FOLLOWED_HEIGHT_KEY = 'varispeed.followed'
export const FOLLOWED_HEIGHT_PROPERTY = '--followed-height'
