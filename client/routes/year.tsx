import { createFileRoute } from '@tanstack/react-router'
import { YearPage } from '../features/year/year-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

export const Route = createFileRoute('/year')({
  head: createHeadForPage,
  component: YearPage,
})
