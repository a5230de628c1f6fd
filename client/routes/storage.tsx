import { createFileRoute } from '@tanstack/react-router'
import { StoragePage } from '../features/offline/storage-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

export const Route = createFileRoute('/storage')({
  head: createHeadForPage,
  component: StoragePage,
})
