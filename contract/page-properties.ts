import type { PagePath } from './pages.ts'

// Properties of pages that only the server and the build need. They are not part of the page table, because the client loads that table.

/** The pages whose heading is replaced by one that depends on loaded data, such as a playlist's title; each with the kind of this data. */
export const loadedHeadingKinds = {
  '/': 'settings',
  '/playlist': 'playlist',
  '/list': 'list',
  '/song': 'song',
  '/search': 'query',
} as const satisfies Partial<Record<PagePath, string>>
export type PageWithLoadedHeading = keyof typeof loadedHeadingKinds

export const hasLoadedHeading = (path: PagePath): path is PageWithLoadedHeading => Object.hasOwn(loadedHeadingKinds, path)

/** The page that starts playback by itself. The player is therefore loaded together with this page. */
export const AUTOPLAY_PAGE: PagePath = '/song'
