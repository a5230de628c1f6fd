import type { FavoriteSync } from '../favorite-sync.ts'

/** A `FavoriteSyncRequest` without changes, for tests of outboxes. */
export const emptyFavoriteSync: FavoriteSync = { readWaiting: async () => [], sync: async () => false }
