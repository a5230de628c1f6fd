/** The maximum length of a link. A longer text does not count as a link, and is therefore neither matched against patterns nor parsed. */
export const LINK_MAX_LENGTH = 2000
