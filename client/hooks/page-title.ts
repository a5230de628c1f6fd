import { useEffect } from 'react'
import { formatPageTitle } from '../../contract/page-titles.ts'
import { findPageAt } from '../../contract/pages.ts'
import type { Site } from '../../contract/site.ts'
import { type RouterContext, useSite } from './services.tsx'

/** Returns the result of a route's `head()`: the document title for `heading`, equal to the title in the server's HTML. */
export const createHeadForHeading = ({ settings }: Site, heading: string) => ({ meta: [{ title: formatPageTitle(heading, settings) }] })

/** The `head()` of a route whose path is in the page table: its document title. */
export const createHeadForPage = ({ match }: { match: { fullPath: string; context: RouterContext } }) =>
  createHeadForHeading(match.context.services.site, findPageAt(match.fullPath.replace(/(?<=.)\/$/, ''))?.heading ?? '')

/** Sets the document title for a heading that is known only after the route's `head()` ran. Does nothing while `headingText` is undefined. */
export function usePageTitle(headingText: string | undefined): void {
  const { settings } = useSite()
  useEffect(() => {
    if (headingText !== undefined) document.title = formatPageTitle(headingText, settings)
  }, [settings, headingText])
}
