import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { ConvertPage } from '../features/account/convert-page.tsx'

export const Route = createFileRoute('/account/make')({
  head: pageHead,
  component: ConvertPage,
})
