/** Limits a list to `limit` rows (1..10000), starting at the zero-based row `offset`. */
export interface Pagination {
  limit: number
  offset: number
}
