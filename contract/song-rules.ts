/** The most songs that a request for related songs can exclude. */
export const RELATED_EXCLUSIONS_MAX = 100

/** The `category_id` of a video that is in own playlists and that the catalogue lacks. */
export const NO_CATEGORY_ID = ''
