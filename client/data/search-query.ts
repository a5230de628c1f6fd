export type SearchSort = 'az' | 'za' | 'newest' | 'oldest'

export interface SearchQuery {
  /** What the person typed; not empty. */
  text: string
  /** Match the author only. */
  artist: boolean
  sort: SearchSort
}
