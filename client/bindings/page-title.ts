import { useEffect } from 'react'
import { pageTitle } from '../../contract/page-titles.ts'
import { type PagePath, pages } from '../../contract/pages.ts'
import type { Site } from '../../contract/site.ts'
import { useSite } from './services.tsx'

/** Returns what a route's `head()` returns: the document title for `heading`, as the server writes it. */
export const headingHead = ({ settings }: Site, heading: string) => ({ meta: [{ title: pageTitle(heading, settings) }] })

/** Returns what a route's `head()` returns: the document title of a page of the page table. */
export const pageHead = (site: Site, path: PagePath) => headingHead(site, pages[path].heading)

/** Sets the document title for a heading that is known only after the route's `head()` ran. Does nothing while `heading` is undefined. */
export function usePageTitle(heading: string | undefined): void {
  const { settings } = useSite()
  useEffect(() => {
    if (heading !== undefined) document.title = pageTitle(heading, settings)
  }, [settings, heading])
}
