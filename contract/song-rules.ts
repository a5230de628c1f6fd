/** The most songs that a request for related songs can exclude. */
export const RELATED_EXCLUSIONS_MAX = 100
