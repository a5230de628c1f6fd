/** The sort orders of `/search?sort=` with the API parameters of each; `az` is the default. */
export const songSorts = {
  az: { orderBy: 'title', orderDir: 'ASC' },
  za: { orderBy: 'title', orderDir: 'DESC' },
  newest: { orderBy: 'date_added', orderDir: 'DESC' },
  oldest: { orderBy: 'date_added', orderDir: 'ASC' },
} as const
export type SongSort = keyof typeof songSorts
export const DEFAULT_SONG_SORT = 'az' satisfies SongSort

/** The sort orders of `/playlists?sort=` with the API parameters of each; `popular`, the server's default order, is the default. */
export const playlistSorts = { popular: {}, az: { order: 'ASC' }, za: { order: 'DESC' } } as const
export type PlaylistSort = keyof typeof playlistSorts
export const DEFAULT_PLAYLIST_SORT = 'popular' satisfies PlaylistSort

/** Returns the sort order of a query parameter, or `fallback` if `value` is not a key of `sorts`. */
export const parseSort = <S extends string>(sorts: Record<S, unknown>, value: unknown, fallback: S): S =>
  typeof value === 'string' && Object.hasOwn(sorts, value) ? (value as S) : fallback
