/**
 * The largest share of the playable songs, and of the songs of each list, that reports exclude in a UTC day: neither an outage of the platform nor a
 * few hostile clients can exclude most songs.
 */
export const DAILY_SHARE = 0.05

export const TOTAL_SHARE = 0.2

/** Number of songs of any list that may be excluded regardless of the shares, because the share of a short list is less than one song. */
export const EXCLUSIONS_MIN = 3
