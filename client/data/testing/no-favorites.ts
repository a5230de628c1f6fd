import type { FavoriteSync } from '../favorite-sync.ts'

/** For outboxes that carry no taps. */
export const noFavorites: FavoriteSync = { waiting: async () => [], exchange: async () => false }
