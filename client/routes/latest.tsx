import { createFileRoute, useLocation } from '@tanstack/react-router'
import { NewsPage } from '../features/news/news-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

export const Route = createFileRoute('/latest')({
  // The news items are an on-demand chunk, which is loaded together with the chunk of the page.
  loader: async ({ context }) => (await import('../features/news/use-feed.ts')).preloadFeed(context.services),
  head: createHeadForPage,
  component: Latest,
})

function Latest() {
  const anchor = useLocation({ select: ({ hash }) => hash })
  return <NewsPage anchor={anchor} />
}
