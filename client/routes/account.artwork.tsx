import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { ArtworkPage } from '../features/account/artwork-page.tsx'

export const Route = createFileRoute('/account/artwork')({
  head: pageHead,
  component: ArtworkPage,
})
