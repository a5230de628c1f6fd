import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { PromotionPage } from '../features/account/promotion-page.tsx'

export const Route = createFileRoute('/account/promotion')({
  head: pageHead,
  component: PromotionPage,
})
