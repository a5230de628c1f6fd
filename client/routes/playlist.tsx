import { createFileRoute } from '@tanstack/react-router'
import type { Playlist as PlaylistRow } from '../../contract/playlist.ts'
import { prepare } from '../bindings/catalogue.ts'
import { pageHead } from '../bindings/page-title.ts'
import { PlaylistPage } from '../features/catalogue/playlist-page.tsx'
import { KeepKey } from '../features/offline/keep-key.tsx'
import { NotFound } from '../features/shell/not-found.tsx'

export const Route = createFileRoute('/playlist')({
  validateSearch: (search): { p?: string } => (typeof search.p === 'string' && search.p !== '' ? { p: search.p } : {}),
  loaderDeps: ({ search }) => ({ p: search.p }),
  async loader({ context, deps }) {
    if (deps.p === undefined) return { title: 'Page not found' }
    const playlist = context.services.catalogue.playlist(deps.p)
    await prepare(playlist)
    return { title: playlist.getSnapshot().data?.playlist.title }
  },
  // Where the playlist is not known yet, the page itself names the document once it is.
  head: ({ match, loaderData }) => (loaderData?.title === undefined ? {} : pageHead(match.context.services.site, loaderData.title)),
  component: Playlist,
})

const keepKey = ({ id, title, song_count }: PlaylistRow) => <KeepKey id={id} title={title} songCount={song_count} />

function Playlist() {
  const { p } = Route.useSearch()
  return p === undefined ? <NotFound /> : <PlaylistPage key={p} id={p} notFound={<NotFound />} keep={keepKey} />
}
