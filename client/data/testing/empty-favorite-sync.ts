import type { FavoriteSync } from '../favorite-sync.ts'

/** A `FavoriteSync` without changes, for tests of outboxes. */
export const emptyFavoriteSync: FavoriteSync = { readWaiting: async () => [], sync: async () => false }
