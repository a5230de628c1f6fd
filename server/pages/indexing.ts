import { hasLoadedHeading, loadedHeadingKinds } from '../../contract/page-properties.ts'
import { type Page, type PagePath, pagePaths, pages } from '../../contract/pages.ts'

/** Public pages that search engines must not index, because they only show data of the device, or are reached from a mail. */
const unindexedPaths: readonly PagePath[] = ['/recent', '/year', '/storage', '/reset-password', '/verify-email']

/** Whether search engines may index a page. Pages that need a login are never indexed. */
export const isIndexable = (routePath: PagePath): boolean => {
  const page: Page = pages[routePath]
  return page.access === undefined && !unindexedPaths.includes(routePath)
}

/** Returns the static paths for a sitemap: indexable pages that have a route and do not depend on a song, a playlist or a shared playlist. */
export const listSitemapPaths = (): PagePath[] =>
  pagePaths.filter((routePath) => {
    const page: Page = pages[routePath]
    const isOfRow = hasLoadedHeading(routePath) && ['song', 'playlist', 'list'].includes(loadedHeadingKinds[routePath])
    return isIndexable(routePath) && !page.planned && !isOfRow
  })
