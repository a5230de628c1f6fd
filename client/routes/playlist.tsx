import { createFileRoute, useMatch, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { NOT_FOUND_HEADING } from '../../contract/page-titles.ts'
import {
  createSharedPlaylistContextId,
  isOwnPlaylistContext,
  OWN_PLAYLIST_CONTEXT_PREFIX,
  readSharedPlaylistToken,
} from '../../contract/playlist-rules.ts'
import { NotFoundPage } from '../components/not-found.tsx'
import { PlaylistPage } from '../features/catalogue/playlist-page.tsx'
import { OwnPlaylistTools, PlaylistMosaic } from '../features/own-playlists/lazy-playlist-parts.tsx'
import { preloadResources } from '../hooks/catalogue.ts'
import { createHeadForHeading } from '../hooks/page-title.ts'
import { Button } from '../ui/button.tsx'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'

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

/** The page of a playlist, at `/playlist` and, for one that its owner shares, at `/list`. */
function Playlist() {
  // The match of this page, because the location is already that of the next page while it is being loaded.
  const isSharedPlaylist = useMatch({ strict: false, select: ({ routeId }) => routeId === '/list' })
  const { p, l: shareToken = '' } = useSearch({ strict: false })
  if (isSharedPlaylist)
    return readSharedPlaylistToken(createSharedPlaylistContextId(shareToken)) ? (
      <SharedPlaylist key={shareToken} token={shareToken} />
    ) : (
      <NotFoundPage />
    )
  if (p === undefined) return <NotFoundPage />
  return isOwnPlaylistContext(p) ? <OwnPlaylist key={p} contextId={p} /> : <PlaylistPage key={p} id={p} />
}

// Until the buttons of a shared playlist are loaded, a disabled button is shown in their place, and an empty `span` in the place of the menu.
const SharedPlaylistTools = lazyWithRetry(
  () => import('../features/own-playlists/shared-playlist-tools.tsx').then((module) => module.SharedPlaylistTools),
  {
    fallback: () => (
      <>
        <Button size="big" icon="plus" disabled>
          {'Save a\u00a0copy'}
        </Button>
        <span />
      </>
    ),
  },
)
const OwnPlaylistEditor = lazyWithRetry(() =>
  import('../features/own-playlists/own-playlist-editor.tsx').then((module) => module.OwnPlaylistEditor),
)

/** The page of one of the person's own playlists. */
function OwnPlaylist({ contextId }: { contextId: string }) {
  const playlistId = contextId.slice(OWN_PLAYLIST_CONTEXT_PREFIX.length)
  const [isEditingPlaylist, setEditingPlaylist] = useState(false)
  return (
    <PlaylistPage
      id={contextId}
      mosaic={(songs) => <PlaylistMosaic songs={songs} />}
      tools={({ playlist }) => (
        <OwnPlaylistTools id={playlistId} title={playlist.title} isEditing={isEditingPlaylist} onEdit={setEditingPlaylist} />
      )}
      editor={(songs) =>
        (isEditingPlaylist || songs.length === 0) && <OwnPlaylistEditor id={playlistId} onDone={() => setEditingPlaylist(false)} />
      }
    />
  )
}

/** The public page of a playlist that its owner shares. */
const SharedPlaylist = ({ token }: { token: string }) => (
  <PlaylistPage
    id={createSharedPlaylistContextId(token)}
    isShared
    mosaic={(songs) => <PlaylistMosaic songs={songs} />}
    tools={(loaded) => <SharedPlaylistTools {...loaded} token={token} />}
  />
)
