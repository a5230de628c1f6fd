import type { SongSort } from '../../../contract/sort-orders.ts'

/** The options of the sort select, in order. */
export const searchSortOptions = [
  { value: 'az', label: 'A-Z' },
  { value: 'za', label: 'Z-A' },
  { value: 'newest', label: 'Newest' },
  { value: 'oldest', label: 'Oldest' },
] as const satisfies readonly { value: SongSort; label: string }[]
