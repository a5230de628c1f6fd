import { createFileRoute } from '@tanstack/react-router'
import { prepare } from '../bindings/catalogue.ts'
import { pageHead } from '../bindings/page-title.ts'
import { type PlaylistSort, playlistSorts } from '../features/catalogue/playlist-sorts.ts'
import { PlaylistsPage } from '../features/catalogue/playlists-page.tsx'

const sortOf = (value: unknown): PlaylistSort => playlistSorts.find((sort) => sort.value === value)?.value ?? 'popular'

export const Route = createFileRoute('/playlists')({
  validateSearch: (search): { sort?: PlaylistSort } => {
    const sort = sortOf(search.sort)
    return sort === 'popular' ? {} : { sort }
  },
  loaderDeps: ({ search }) => ({ sort: sortOf(search.sort) }),
  loader: ({ context, deps }) => prepare(context.services.catalogue.playlists(deps.sort)),
  head: ({ match }) => pageHead(match.context.services.site, 'Playlists'),
  component: Playlists,
})

function Playlists() {
  const sort = sortOf(Route.useSearch().sort)
  const navigate = Route.useNavigate()
  const setSort = (value: PlaylistSort) => {
    void navigate({ search: value === 'popular' ? {} : { sort: value }, replace: true, resetScroll: false })
  }
  return <PlaylistsPage sort={sort} onSort={setSort} />
}
