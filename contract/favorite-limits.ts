/** The most changes that a call of `/favorite/sync` may carry; devices send more in several calls. */
export const FAVORITE_CHANGES_MAX = 500
