import { createFileRoute } from '@tanstack/react-router'
import { ConvertPage } from '../features/conversion/conversion-page.tsx'
import { pageHead } from '../hooks/page-title.ts'

export const Route = createFileRoute('/account/make')({
  head: pageHead,
  component: ConvertPage,
})
