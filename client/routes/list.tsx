import { createFileRoute } from '@tanstack/react-router'
import { createHeadForPage } from '../hooks/page-title.ts'
import { Route as PlaylistRoute } from './playlist.tsx'

// The page is in the chunk of `/playlist`: a chunk of its own would share most of its modules.
export const Route = createFileRoute('/list')({
  head: createHeadForPage,
  codeSplitGroupings: [],
  component: PlaylistRoute.options.component,
})
