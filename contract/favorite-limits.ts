/** The most changes that a call of `/favorite/sync` may carry; devices send more in several calls. */
export const FAVORITE_CHANGES_MAX = 500

/** The most favorites that an account can have, and what a person reads who wants more. */
export const FAVORITES_MAX = 50_000
export const FAVORITES_FULL = 'You have 50,000 favorites, and there can be no more. Please take one out first.'
