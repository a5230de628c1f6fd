/** A song or playlist that has a page. */
export interface AddressedRow {
  id: string
  /** The time when a song was added, in epoch milliseconds; missing for playlists. */
  addedMs?: number
}

/** Lists everything that has a page of its own, for search engines. */
export interface AddressStore {
  count(kind: 'songs' | 'playlists'): Promise<number>
  /** Lists the rows from the number `first` (1 is the first), at most `limit` of them. Playlists without songs are left out. */
  list(kind: 'songs' | 'playlists', first: number, limit: number): Promise<AddressedRow[]>
}
