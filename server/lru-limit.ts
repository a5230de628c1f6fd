/**
 * Limits the entries of a cache of lru-cache like its option `max`, which would allocate memory for all entries when the cache is created: several
 * milliseconds and megabytes for 20,000 entries.
 */
export const createEntryLimit = (maxEntries: number) => ({ maxSize: maxEntries, sizeCalculation: () => 1 })
