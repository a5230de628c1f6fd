import { createFileRoute } from '@tanstack/react-router'
import { NOT_FOUND_HEADING } from '../../contract/page-titles.ts'
import { NotFoundPage } from '../components/not-found.tsx'
import { PlaylistPage } from '../features/catalogue/playlist-page.tsx'
import { preloadResources } from '../hooks/catalogue.ts'
import { createHeadForHeading } from '../hooks/page-title.ts'

export const Route = createFileRoute('/playlist')({
  validateSearch: (search): { p?: string } => (typeof search.p === 'string' && search.p !== '' ? { p: search.p } : {}),
  loaderDeps: ({ search }) => ({ p: search.p }),
  async loader({ context, deps }) {
    if (deps.p === undefined) return { heading: NOT_FOUND_HEADING }
    const playlistResource = context.services.catalogue.playlist(deps.p)
    await preloadResources(playlistResource)
    return { heading: playlistResource.getSnapshot().data?.playlist.title }
  },
  // Until the playlist is loaded, the previous title stays; then `usePageTitle` sets the new one.
  head: ({ match, loaderData }) =>
    loaderData?.heading === undefined ? {} : createHeadForHeading(match.context.services.site, loaderData.heading),
  component: Playlist,
})

function Playlist() {
  const { p } = Route.useSearch()
  return p === undefined ? <NotFoundPage /> : <PlaylistPage key={p} id={p} />
}
