/** Maximum number of changes in one call of `/favorite/sync`. Devices split more changes over several calls. */
export const FAVORITE_CHANGES_MAX = 500

/** Maximum number of favorites of an account. */
export const FAVORITES_MAX = 50_000
/** The error message for a favorite above `FAVORITES_MAX`. */
export const FAVORITES_FULL_MESSAGE = 'You have 50,000 favorites, the most there can be. Remove one first.'
