import type { SongSort } from '../../contract/sort-orders.ts'

export interface SearchQuery {
  /** The search text; not empty. */
  text: string
  /** Whether the search text must match the song's author instead of its title or author. */
  artist: boolean
  sort: SongSort
}
