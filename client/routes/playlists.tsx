import { createFileRoute } from '@tanstack/react-router'
import { DEFAULT_PLAYLIST_SORT, type PlaylistSort, parseSort, playlistSorts } from '../../contract/sort-orders.ts'
import { preloadResources } from '../bindings/catalogue.ts'
import { pageHead } from '../bindings/page-title.ts'
import { PlaylistsPage } from '../features/catalogue/playlists-page.tsx'

const parsePlaylistSort = (value: unknown): PlaylistSort => parseSort<PlaylistSort>(playlistSorts, value, DEFAULT_PLAYLIST_SORT)

export const Route = createFileRoute('/playlists')({
  validateSearch: (search): { sort?: PlaylistSort } => {
    const sort = parsePlaylistSort(search.sort)
    return sort === DEFAULT_PLAYLIST_SORT ? {} : { sort }
  },
  loaderDeps: ({ search }) => ({ sort: parsePlaylistSort(search.sort) }),
  loader: ({ context, deps }) => preloadResources(context.services.catalogue.playlists(deps.sort)),
  head: pageHead,
  component: Playlists,
})

function Playlists() {
  const sort = parsePlaylistSort(Route.useSearch().sort)
  const navigate = Route.useNavigate()
  const setSort = (value: PlaylistSort) => {
    void navigate({ search: value === DEFAULT_PLAYLIST_SORT ? {} : { sort: value }, replace: true, resetScroll: false })
  }
  return <PlaylistsPage sort={sort} onSort={setSort} />
}
