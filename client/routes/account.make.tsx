import { createFileRoute } from '@tanstack/react-router'
import { ConversionPage } from '../features/conversion/conversion-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

export const Route = createFileRoute('/account/make')({
  head: createHeadForPage,
  component: ConversionPage,
})
