/**
 * The largest share of the playable songs that reports exclude in a UTC day, and of the songs that are excluded at any time, of all songs and of each
 * list. An outage of the platform, or a few clients who report every song, leave the other songs in place.
 */
export const DAILY_SHARE = 0.05

export const TOTAL_SHARE = 0.2

/** Number of songs that may always be excluded, as the share of a short list is less than a song. */
export const EXCLUSIONS_MIN = 3
