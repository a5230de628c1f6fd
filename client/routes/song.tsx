import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useCallback, useDeferredValue } from 'react'
import { parseVideoId } from '../../contract/youtube.ts'
import { type Loaded, prepare, useExplore } from '../bindings/catalogue.ts'
import { pageHead } from '../bindings/page-title.ts'
import { LoadFailure } from '../features/catalogue/failure.tsx'
import { PlaylistGrid } from '../features/catalogue/playlist-grid.tsx'
import { Deck } from '../features/player/deck.tsx'
import { SongQueue } from '../features/player/song-queue.tsx'
import { NotFound } from '../features/shell/not-found.tsx'
import { ExploreMore } from '../features/song/explore-more.tsx'
import { SongPage } from '../features/song/song-page.tsx'

interface SongSearch {
  /** A video id or the video's URL. */
  s?: string
  p?: string
  shuffle?: string
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export const Route = createFileRoute('/song')({
  validateSearch(search): SongSearch {
    const s = text(search.s)
    const p = text(search.p)
    return { ...(s !== undefined && { s }), ...(p !== undefined && { p }), ...(typeof search.shuffle === 'string' && { shuffle: '' }) }
  },
  loaderDeps: ({ search }) => ({ s: search.s, p: search.p }),
  async loader({ context, deps }) {
    const songId = deps.s === undefined ? undefined : parseVideoId(deps.s)
    if (songId === undefined) return { title: 'Page not found' }
    const song = context.services.catalogue.song(songId, deps.p)
    await prepare(song)
    const { data } = song.getSnapshot()
    return { title: data && `${data.title} by ${data.author_name}` }
  },
  // Where the song is not known yet, the page itself names the document once it is.
  head: ({ match, loaderData }) => (loaderData?.title === undefined ? {} : pageHead(match.context.services.site, loaderData.title)),
  component: SongRoute,
})

function SongRoute() {
  const { s, p, shuffle } = Route.useSearch()
  const navigate = useNavigate()
  const songId = s === undefined ? undefined : parseVideoId(s)

  // In place of the song that was: going back leaves the page, as a person who let it play on expects.
  const follow = useCallback(
    (next: { songId: string; contextId: string | undefined; shuffle: boolean }) =>
      void navigate({
        to: '/song',
        search: { s: next.songId, ...(next.contextId !== undefined && { p: next.contextId }), ...(next.shuffle && { shuffle: '' }) },
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
      deck={<Deck songId={songId} />}
      queue={<SongQueue />}
      more={<More />}
      notFound={<NotFound />}
      failure={failed}
      onAdvance={follow}
    />
  )
}

const failed = ({ error, retry }: Loaded<unknown>) => error && <LoadFailure error={error} onRetry={retry} />

const noMore = { unplugged: 'This needs a connection.', silent: 'The site does not answer.' }

function More() {
  // Twelve cards are rendered while the page answers to a person.
  const explore = useDeferredValue(useExplore())
  return (
    <ExploreMore
      loaded={explore}
      failure={explore.error && <LoadFailure error={explore.error} onRetry={explore.retry} reasons={noMore} otherwise={null} />}
    >
      {(playlists) => <PlaylistGrid playlists={playlists} headingLevel={3} label="Explore more" />}
    </ExploreMore>
  )
}
