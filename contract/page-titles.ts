import type { Settings } from './site.ts'

/** Returns a document title: `heading` and the site's name. */
export const pageTitle = (heading: string, { NAME }: Pick<Settings, 'NAME'>): string => `${heading} · ${NAME}`

/** Returns the heading of a song in a document title. */
export const songHeading = ({ title, author_name }: { title: string; author_name: string }): string => `${title} · ${author_name}`

/** Returns the heading of the search page. */
export const searchHeading = (text: string): string => (text === '' ? 'Search' : `Results for '${text}'`)

/** The heading of the 404 page. */
export const NOT_FOUND_HEADING = 'Page not found'
