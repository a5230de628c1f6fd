import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { StoragePage } from '../features/offline/storage-page.tsx'

export const Route = createFileRoute('/storage')({
  head: pageHead,
  component: StoragePage,
})
