import { createFileRoute } from '@tanstack/react-router'
import { PromotionPage } from '../features/promotion/promotion-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

export const Route = createFileRoute('/account/promotion')({
  head: createHeadForPage,
  component: PromotionPage,
})
