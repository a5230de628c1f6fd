import { createFileRoute, useLocation } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { renderLoadProblem } from '../features/catalogue/load-problem.tsx'
import { NewsPage } from '../features/news/news-page.tsx'

export const Route = createFileRoute('/latest')({
  // The news are loaded on demand, together with the page.
  loader: async ({ context }) => (await import('../bindings/feed.ts')).preloadFeed(context.services),
  head: pageHead,
  component: Latest,
})

function Latest() {
  const anchor = useLocation({ select: ({ hash }) => hash })
  return <NewsPage anchor={anchor} renderProblem={renderLoadProblem} />
}
