import { createFileRoute } from '@tanstack/react-router'
import { ArtworkPage } from '../features/artwork/artwork-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

export const Route = createFileRoute('/account/artwork')({
  head: createHeadForPage,
  component: ArtworkPage,
})
