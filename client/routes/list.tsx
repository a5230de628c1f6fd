import { createFileRoute } from '@tanstack/react-router'
import { createHeadForPage } from '../hooks/page-title.ts'
import { Route as PlaylistRoute } from './playlist.tsx'

// The page is in the chunk of `/playlist`.
export const Route = createFileRoute('/list')({
  head: createHeadForPage,
  component: PlaylistRoute.options.component,
})
