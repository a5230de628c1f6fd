import { createFileRoute, type RouteComponent } from '@tanstack/react-router'
import { createHeadForPage } from '../hooks/page-title.ts'
import { Route as PlaylistRoute } from './playlist.tsx'

// The chunk of `/playlist` contains this page, too.
export const Route = createFileRoute('/list')({
  validateSearch: ({ l }): { l?: string } => (typeof l === 'string' ? { l } : {}),
  head: createHeadForPage,
  // The cast is safe, because the route has a component.
  component: PlaylistRoute.options.component as RouteComponent,
})
