import { createFileRoute } from '@tanstack/react-router'
import { WebsitePage } from '../features/website/website-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

export const Route = createFileRoute('/account/website')({
  head: createHeadForPage,
  component: WebsitePage,
})
