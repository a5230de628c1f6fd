/** The maximum length of a search text. Names of artists are shorter. */
export const SEARCH_TEXT_MAX_LENGTH = 600
