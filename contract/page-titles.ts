import type { Settings } from './site.ts'

/** Returns a document title: `heading` and the site's name. */
export const formatPageTitle = (heading: string, { NAME }: Pick<Settings, 'NAME'>): string => `${heading} · ${NAME}`

/** Returns the heading of a song in a document title. */
export const formatSongHeading = ({ title, author_name }: { title: string; author_name: string }): string => `${title} · ${author_name}`

export function formatSearchHeading(searchText: string, isArtistSearch: boolean): string {
  if (searchText === '') return 'Search'
  return isArtistSearch ? `Songs by ${searchText}` : `Results for “${searchText}”`
}

export const NOT_FOUND_HEADING = 'Page not found'
