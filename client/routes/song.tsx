import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { formatSongHeading, NOT_FOUND_HEADING } from '../../contract/page-titles.ts'
import { parseVideoId } from '../../contract/youtube.ts'
import { NotFoundPage } from '../components/not-found.tsx'
import { SongPagePlayer } from '../features/player/song-page-player.tsx'
import { SongQueue } from '../features/player/song-queue.tsx'
import { ReturnToRadioLink } from '../features/radio/return-to-radio-link.tsx'
import { SongPage } from '../features/song/song-page.tsx'
import { preloadResources } from '../hooks/catalogue.ts'
import { createHeadForHeading } from '../hooks/page-title.ts'
import { prepareQueue } from '../hooks/queue-context.ts'

interface SongSearchParams {
  /** The song as a YouTube video id or URL. */
  s?: string
  /** The id of the playlist in which the song is played and the queue continues. */
  p?: string
  shuffle?: string
}

const keepNonEmptyText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export const Route = createFileRoute('/song')({
  validateSearch(searchParams): SongSearchParams {
    const s = keepNonEmptyText(searchParams.s)
    const p = keepNonEmptyText(searchParams.p)
    return {
      ...(s !== undefined && { s }),
      ...(p !== undefined && { p }),
      ...(typeof searchParams.shuffle === 'string' && { shuffle: '' }),
    }
  },
  loaderDeps: ({ search }) => ({ s: search.s, p: search.p }),
  async loader({ context, deps }) {
    const songId = deps.s === undefined ? undefined : parseVideoId(deps.s)
    if (songId === undefined) return { heading: NOT_FOUND_HEADING }
    const { catalogue, initialData, loadPlayer } = context.services
    const songResource = catalogue.song(songId, deps.p)
    // The request for the first song's queue starts while the player's chunk is loading, because the player needs the queue as soon as it
    // is loaded.
    const firstSong = initialData.song
    if (firstSong?.id === songId) prepareQueue(context.services, deps.p ?? firstSong.rows.context_id)
    // The song page starts playback without a click, so its loader starts loading the player. If that fails, the page itself loads the
    // player again and shows the failure.
    loadPlayer().catch(() => {})
    // A song that is opened from a list is shown with the data of its row there, before the stored data are read.
    if (!catalogue.notedSong(songId)) await preloadResources(songResource)
    const { data } = songResource.getSnapshot()
    return { heading: data && formatSongHeading(data) }
  },
  // Until the song is loaded, the previous title stays; then `usePageTitle` sets the new one.
  head: ({ match, loaderData }) =>
    loaderData?.heading === undefined ? {} : createHeadForHeading(match.context.services.site, loaderData.heading),
  component: SongRoute,
})

function SongRoute() {
  const { s, p, shuffle } = Route.useSearch()
  const navigate = useNavigate()
  const songId = s === undefined ? undefined : parseVideoId(s)

  // When the player advances to another song, its URL replaces the current history entry, so that Back leaves the song page even after
  // several songs.
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

  if (songId === undefined) return <NotFoundPage />
  return (
    <SongPage
      songId={songId}
      contextId={p}
      shuffle={shuffle !== undefined}
      playerDeck={
        <>
          <ReturnToRadioLink />
          <SongPagePlayer songId={songId} />
        </>
      }
      queue={<SongQueue />}
      onAdvance={showNextSong}
    />
  )
}
