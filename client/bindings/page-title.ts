import { useEffect } from 'react'
import type { Site } from '../../contract/site.ts'
import { useSite } from './services.tsx'

/** A document's title, as the server gives it in the HTML of a first visit; without a heading the site's own. */
export const pageTitle = (site: Site, heading?: string): string =>
  heading === undefined ? site.settings.META_TITLE : `${heading} · ${site.settings.NAME}`

/** For a route's `head()`. */
export const pageHead = (site: Site, heading?: string) => ({ meta: [{ title: pageTitle(site, heading) }] })

/** Names the document after what came later than the route's `head()`; does nothing as long as there is no heading. */
export function usePageTitle(heading: string | undefined): void {
  const site = useSite()
  useEffect(() => {
    if (heading !== undefined) document.title = pageTitle(site, heading)
  }, [site, heading])
}
