import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useCallback, useDeferredValue } from 'react'
import { NOT_FOUND_HEADING, songHeading } from '../../contract/page-titles.ts'
import type { Song, SongDetail } from '../../contract/song.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { LoadFailure } from '../components/load-failure.tsx'
import { NotFound } from '../components/not-found.tsx'
import { Deck } from '../features/player/deck.tsx'
import { SongQueue } from '../features/player/song-queue.tsx'
import { ExploreMore } from '../features/song/explore-more.tsx'
import { RadioReturn } from '../features/song/radio-return.tsx'
import { SongPage } from '../features/song/song-page.tsx'
import { type Loaded, preloadResources, useExplore } from '../hooks/catalogue.ts'
import { headingHead } from '../hooks/page-title.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { SkeletonGrid } from '../ui/skeleton.tsx'

interface SongSearch {
  /** The song as a YouTube video id or URL. */
  s?: string
  /** The id of the playlist in which the song is played and the queue continues. */
  p?: string
  shuffle?: string
}

const nonEmptyText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export const Route = createFileRoute('/song')({
  validateSearch(search): SongSearch {
    const s = nonEmptyText(search.s)
    const p = nonEmptyText(search.p)
    return { ...(s !== undefined && { s }), ...(p !== undefined && { p }), ...(typeof search.shuffle === 'string' && { shuffle: '' }) }
  },
  loaderDeps: ({ search }) => ({ s: search.s, p: search.p }),
  async loader({ context, deps }) {
    const songId = deps.s === undefined ? undefined : parseVideoId(deps.s)
    if (songId === undefined) return { heading: NOT_FOUND_HEADING }
    const { catalogue, loadPlayer } = context.services
    const songResource = catalogue.song(songId, deps.p)
    // The song page starts playback without a click, so its loader loads the player. If that fails, the page itself loads the player again and
    // shows the failure.
    await Promise.all([preloadResources(songResource), loadPlayer().catch(() => {})])
    const { data } = songResource.getSnapshot()
    return { heading: data && songHeading(data) }
  },
  // Until the song is loaded, the previous title stays; then `usePageTitle` sets the new one.
  head: ({ match, loaderData }) => (loaderData?.heading === undefined ? {} : headingHead(match.context.services.site, loaderData.heading)),
  component: SongRoute,
})

function SongRoute() {
  const { s, p, shuffle } = Route.useSearch()
  const navigate = useNavigate()
  const songId = s === undefined ? undefined : parseVideoId(s)

  // The navigation replaces the history entry, so that Back leaves the page after several songs.
  const showNextSong = useCallback(
    (nextSong: { songId: string; contextId: string | undefined; shuffle: boolean }) =>
      void navigate({
        to: '/song',
        search: {
          s: nextSong.songId,
          ...(nextSong.contextId !== undefined && { p: nextSong.contextId }),
          ...(nextSong.shuffle && { shuffle: '' }),
        },
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )

  if (songId === undefined) return <NotFound />
  return (
    <SongPage
      songId={songId}
      contextId={p}
      shuffle={shuffle !== undefined}
      deck={
        <>
          <RadioReturn />
          <Deck songId={songId} />
        </>
      }
      queue={<SongQueue />}
      renderRelated={renderRelated}
      otherPlaylists={<ExplorePlaylists />}
      notFound={<NotFound />}
      renderFailure={renderFailure}
      onAdvance={showNextSong}
    />
  )
}

const renderFailure = ({ error, retry }: Loaded<unknown>) => error && <LoadFailure error={error} onRetry={retry} />

// The cards are on-demand chunks, because their playlists are requested after the start.
const MorePlaylists = lazyWithRetry(() => import('../components/playlist-grid.tsx').then((module) => module.PlaylistGrid), {
  fallback: () => <SkeletonGrid count={8} />,
})
// The page is complete without the related songs, which are on-demand chunks.
const RelatedSongs = lazyWithRetry(() => import('../features/song/related-songs.tsx').then((module) => module.RelatedSongs), {
  renderError: () => null,
})
const RelatedList = lazyWithRetry(() => import('../components/song-list.tsx').then((module) => module.SongList))
const categoryOf = (song: Song) => song.category_id
const renderRelatedList = (songs: readonly Song[], label: string) => (
  <RelatedList songs={songs} getContextId={categoryOf} numbered={false} label={label} />
)
const renderRelated = (song: SongDetail) => <RelatedSongs song={song} renderList={renderRelatedList} />

const networkFailureReasons = { deviceOffline: 'This needs a connection.', serverUnreachable: 'The site does not answer.' }

function ExplorePlaylists() {
  // The playlists are deferred, so that rendering twelve cards does not delay input.
  const morePlaylists = useDeferredValue(useExplore())
  return (
    <ExploreMore
      loadedPlaylists={morePlaylists}
      failure={
        morePlaylists.error && (
          <LoadFailure error={morePlaylists.error} onRetry={morePlaylists.retry} reasons={networkFailureReasons} fallbackAction={null} />
        )
      }
    >
      {(playlists) => <MorePlaylists playlists={playlists} headingLevel={3} label="Explore more" />}
    </ExploreMore>
  )
}
