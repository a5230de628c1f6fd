export const playlistSorts = [
  { value: 'popular', label: 'Popular' },
  { value: 'az', label: 'A-Z' },
  { value: 'za', label: 'Z-A' },
] as const
export type PlaylistSort = (typeof playlistSorts)[number]['value']
