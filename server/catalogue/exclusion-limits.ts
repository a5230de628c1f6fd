/**
 * The largest share of the playable songs, and of the songs of each list, that reports may exclude in a UTC day, so that neither an outage
 * of the video platform nor a few hostile clients can exclude most songs.
 */
export const DAILY_EXCLUDED_SHARE_MAX = 0.05

export const EXCLUDED_SHARE_MAX = 0.2

/** Number of songs of any list that may be excluded regardless of the shares, because the share of a short list is less than one song. */
export const EXCLUSIONS_ALWAYS_ALLOWED = 3
