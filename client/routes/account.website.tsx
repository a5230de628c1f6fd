import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { WebsitePage } from '../features/account/website-page.tsx'

export const Route = createFileRoute('/account/website')({
  head: pageHead,
  component: WebsitePage,
})
