import type { PlaylistSort } from '../../../contract/sort-orders.ts'

/** The options of the sort select, in order. */
export const playlistSortOptions = [
  { value: 'popular', label: 'Popular' },
  { value: 'az', label: 'A-Z' },
  { value: 'za', label: 'Z-A' },
] as const satisfies readonly { value: PlaylistSort; label: string }[]
