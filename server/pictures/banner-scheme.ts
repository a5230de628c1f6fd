/** The scheme of the source of an uploaded banner; the hash of its bytes follows. */
export const BANNER_SCHEME = 'banner:'
