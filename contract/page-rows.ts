import type { PagePath } from './pages.ts'

// Facts about pages that only the server and the build need. They are not in the page table, because the client loads it.

/** The pages whose heading is replaced once data is loaded, with the kind of this data. */
export const headingSources = {
  '/': 'settings',
  '/playlist': 'playlist',
  '/song': 'song',
  '/search': 'query',
} as const satisfies Partial<Record<PagePath, string>>
export type PageWithSource = keyof typeof headingSources

export const hasHeadingSource = (path: PagePath): path is PageWithSource => Object.hasOwn(headingSources, path)

/** The page that plays a song without an interaction, so that the player is loaded together with the page. */
export const PLAYING_PAGE: PagePath = '/song'
