import type { Settings } from './site.ts'

/** Returns a document title: `heading` and the site's name. */
export const pageTitle = (heading: string, { NAME }: Pick<Settings, 'NAME'>): string => `${heading} · ${NAME}`

/** Returns the heading of a song in a document title. */
export const songHeading = ({ title, author_name }: { title: string; author_name: string }): string => `${title} · ${author_name}`

export function searchHeading(text: string, isArtistSearch: boolean): string {
  if (text === '') return 'Search'
  return isArtistSearch ? `Songs by ${text}` : `Results for “${text}”`
}

export const NOT_FOUND_HEADING = 'Page not found'
