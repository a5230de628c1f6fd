import { createFileRoute, type RouteComponent } from '@tanstack/react-router'
import { createSharedPlaylistContextId, readSharedPlaylistToken } from '../../contract/playlist-rules.ts'
import { preloadResources } from '../hooks/catalogue.ts'
import { createHeadForPage } from '../hooks/page-title.ts'
import { Route as PlaylistRoute } from './playlist.tsx'

// The chunk of `/playlist` contains this page, too.
export const Route = createFileRoute('/list')({
  validateSearch: ({ l }): { l?: string } => (typeof l === 'string' ? { l } : {}),
  loaderDeps: ({ search }) => ({ l: search.l ?? '' }),
  async loader({ context, deps }) {
    const contextId = createSharedPlaylistContextId(deps.l)
    if (readSharedPlaylistToken(contextId)) await preloadResources(context.services.catalogue.playlist(contextId))
  },
  head: createHeadForPage,
  // The cast is safe, because the route has a component.
  component: PlaylistRoute.options.component as RouteComponent,
})
