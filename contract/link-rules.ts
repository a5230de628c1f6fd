/** The maximum length of a link. A longer text is no link, so that it is neither matched nor parsed. */
export const LINK_MAX_LENGTH = 2000
