/** The URL scheme that marks a picture's source as an uploaded banner. The hash of the banner's bytes follows the scheme. */
export const BANNER_SCHEME = 'banner:'
