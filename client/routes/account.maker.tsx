import { createFileRoute } from '@tanstack/react-router'
import { MakerPage } from '../features/maker/maker-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

export const Route = createFileRoute('/account/maker')({
  head: createHeadForPage,
  component: MakerPage,
})
