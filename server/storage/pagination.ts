/** Limits a list to `limit` rows (at least 1), starting at the zero-based row `offset`. */
export interface Pagination {
  limit: number
  offset: number
}
