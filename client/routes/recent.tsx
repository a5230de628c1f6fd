import { createFileRoute } from '@tanstack/react-router'
import { RecentPage } from '../features/recent/recent-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

export const Route = createFileRoute('/recent')({
  head: createHeadForPage,
  component: RecentPage,
})
