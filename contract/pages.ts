import type { Settings } from './site.ts'

/** A page of a main host. */
export interface Page {
  /** The `<h1>`, and the first part of the document title. */
  heading: string
  /** Who may see the page: accounts (`user`), or accounts with the role `subscriber`; everyone by default. */
  access?: 'user' | 'subscriber'
  /** The query parameters that change the page, in their canonical order. Other parameters are ignored. */
  parameters?: readonly string[]
  /** Whether the page is only planned: the server answers with its head, but the client has no route for it yet. */
  planned?: true
}

/**
 * Every page of a main host. The server's `<head>`, the client's titles, the paths that the service worker handles, the sitemap and the tests
 * are derived from this table; `npm run check` compares the table with the files of `client/routes`. The page at the path of the setting `WHAT_IS_PATH` is not in the table; its route is `CATCH_ALL_ROUTE`.
 */
export const pages = {
  '/': { heading: 'Home' },
  '/playlists': { heading: 'Playlists', parameters: ['sort'] },
  '/playlist': { heading: 'Playlist', parameters: ['p'] },
  '/list': { heading: 'Playlist', parameters: ['l'] },
  '/song': { heading: 'Song', parameters: ['s', 'p', 'shuffle'] },
  '/search': { heading: 'Search', parameters: ['q', 'type', 'sort'] },
  '/recent': { heading: 'Recently played' },
  '/year': { heading: 'Your year' },
  '/storage': { heading: 'Storage' },
  '/login': { heading: 'Log in' },
  '/signup': { heading: 'Sign up' },
  '/forgot-password': { heading: 'Forgot password' },
  '/reset-password': { heading: 'Reset password' },
  '/verify-email': { heading: 'Confirm your email' },
  '/account': { heading: 'Dashboard', access: 'user' },
  '/account/change-password': { heading: 'Change password', access: 'user' },
  '/account/website': { heading: 'Website', access: 'subscriber' },
  '/account/promotion': { heading: 'Promotion', access: 'subscriber' },
  '/account/maker': { heading: 'Maker', access: 'subscriber' },
  '/account/make': { heading: 'Convert on the server', access: 'subscriber' },
  '/account/artwork': { heading: 'Artwork', access: 'subscriber' },
  '/subscribe': { heading: 'Subscriptions' },
  '/network': { heading: 'Network' },
  '/members': { heading: 'Network members' },
  '/latest': { heading: 'Latest' },
  '/get-in-touch': { heading: 'Get in touch', parameters: ['topic'] },
  '/faq': { heading: 'Frequently Asked Questions (FAQ)' },
  '/about-us': { heading: 'About us' },
  '/privacy': { heading: 'Privacy Policy' },
} as const satisfies Record<`/${string}`, Page>

/** The catch-all route, for paths without a route of their own, such as the path of the page about the genre (setting `WHAT_IS_PATH`). */
export const CATCH_ALL_ROUTE = '/$'

/** A URL path without a page. The document of this path is sent for all unknown addresses of a host, so that they share one cache entry. */
export const NOT_FOUND_ADDRESS = '/no-such-page'

export type PagePath = keyof typeof pages

/** Returns the page of the table at `path` (without a query or trailing slashes). */
export const findPageAt = (path: string): Page | undefined => (Object.hasOwn(pages, path) ? pages[path as PagePath] : undefined)

// The annotation lets the bundler omit this list from the client.
export const pagePaths = /* @__PURE__ */ Object.keys(pages) as PagePath[]

/** Returns the paths of a host's pages, or `*` if the host shows the same page at every path. */
export function listPagePathsOfHost(
  hostClass: 'main' | 'radio' | 'subscriber',
  { WHAT_IS_PATH }: Pick<Settings, 'WHAT_IS_PATH'>,
): readonly string[] | '*' {
  if (hostClass === 'radio') return '*'
  return hostClass === 'subscriber' ? ['/'] : [...pagePaths, WHAT_IS_PATH]
}

/**
 * Returns the canonical address of a page: its path, and of the query only the page's own parameters, in the page table's order. Tracking
 * parameters do not change the address. The last value of a repeated parameter is used.
 */
export function createPageAddress(urlPath: string, queryText: string): string {
  // Removes trailing slashes. The regular expression runs in linear time, because it matches only at the start of a run of slashes.
  const pagePath = urlPath.replace(/(?<!\/)\/+$/, '') || '/'
  const allParameters = new URLSearchParams(queryText)
  const pageParameters = new URLSearchParams()
  for (const name of findPageAt(pagePath)?.parameters ?? []) {
    const value = allParameters.getAll(name).at(-1)
    if (value !== undefined) pageParameters.set(name, value)
  }
  return pageParameters.size === 0 ? pagePath : `${pagePath}?${pageParameters}`
}
