import { createFileRoute, useLocation } from '@tanstack/react-router'
import { NotFoundPage } from '../components/not-found.tsx'
import { SharedPlaylistPage } from '../features/own-playlists/shared-playlist-page.tsx'
import { createHeadForPage } from '../hooks/page-title.ts'

export const Route = createFileRoute('/list')({ head: createHeadForPage, component: SharedPlaylist })

function SharedPlaylist() {
  const token = useLocation({ select: ({ searchStr }) => new URLSearchParams(searchStr).get('l') })
  return token === null ? <NotFoundPage /> : <SharedPlaylistPage key={token} token={token} />
}
