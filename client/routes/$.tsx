import { createFileRoute } from '@tanstack/react-router'
import { NotFoundPage } from '../components/not-found.tsx'
import { WhatIsPage } from '../features/documents/document-page.tsx'
import { loadDocument } from '../hooks/document-route.ts'
import { createHeadForHeading } from '../hooks/page-title.ts'
import { type RouterContext, useSite } from '../hooks/services.tsx'

const isGenrePagePath = ({ services }: RouterContext, path: string) => path === services.site.settings.WHAT_IS_PATH

// Handles every path that has no route of its own: shows the page about the genre if the path equals the setting `WHAT_IS_PATH`, and
// otherwise the page for an unknown address.
export const Route = createFileRoute('/$')({
  loader: ({ context, location }) => (isGenrePagePath(context, location.pathname) ? loadDocument(context, 'what-is') : undefined),
  head: ({ match: { context, pathname } }) =>
    isGenrePagePath(context, pathname) ? createHeadForHeading(context.services.site, context.services.site.settings.WHAT_IS_TITLE) : {},
  component: GenreOrNotFoundPage,
})

function GenreOrNotFoundPage() {
  // The path of this page, because the location is already that of the next page while it is being loaded.
  const path = Route.useMatch({ select: ({ pathname }) => pathname })
  return path === useSite().settings.WHAT_IS_PATH ? <WhatIsPage /> : <NotFoundPage />
}
