import { createFileRoute } from '@tanstack/react-router'
import { DEFAULT_PLAYLIST_SORT, type PlaylistSort, parseSort, playlistSorts } from '../../contract/sort-orders.ts'
import { PlaylistsPage } from '../features/catalogue/playlists-page.tsx'
import { preloadResources } from '../hooks/catalogue.ts'
import { createHeadForPage } from '../hooks/page-title.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'

const parsePlaylistSort = (value: unknown): PlaylistSort => parseSort<PlaylistSort>(playlistSorts, value, DEFAULT_PLAYLIST_SORT)

export const Route = createFileRoute('/playlists')({
  validateSearch: (searchParams): { sort?: PlaylistSort } => {
    const sort = parsePlaylistSort(searchParams.sort)
    return sort === DEFAULT_PLAYLIST_SORT ? {} : { sort }
  },
  loaderDeps: ({ search }) => ({ sort: parsePlaylistSort(search.sort) }),
  loader: ({ context, deps }) => preloadResources(context.services.catalogue.playlists(deps.sort)),
  head: createHeadForPage,
  component: Playlists,
})

/** The fragment of links to the own playlists. */
const OWN_PLAYLISTS_ID = 'own-playlists'

const OwnPlaylistsSection = lazyWithRetry(() =>
  import('../features/own-playlists/own-playlists-section.tsx').then((module) => module.OwnPlaylistsSection),
)

function Playlists() {
  const playlistSort = parsePlaylistSort(Route.useSearch().sort)
  const navigate = Route.useNavigate()
  const setSort = (value: PlaylistSort) => {
    void navigate({ search: value === DEFAULT_PLAYLIST_SORT ? {} : { sort: value }, replace: true, resetScroll: false })
  }
  return (
    <PlaylistsPage
      sort={playlistSort}
      onSort={setSort}
      ownPlaylists={
        // The element is in the HTML, so that links to it lead there before the section is loaded.
        <div id={OWN_PLAYLISTS_ID}>
          <OwnPlaylistsSection anchorId={OWN_PLAYLISTS_ID} />
        </div>
      }
    />
  )
}
