import { createFileRoute } from '@tanstack/react-router'
import { formatSearchHeading } from '../../contract/page-titles.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../../contract/search-rules.ts'
import { DEFAULT_SONG_SORT, parseSort, type SongSort, songSorts } from '../../contract/sort-orders.ts'
import { SearchPage } from '../features/catalogue/search-page.tsx'
import { preloadResources } from '../hooks/catalogue.ts'
import { createHeadForHeading } from '../hooks/page-title.ts'

interface SearchParams {
  q?: string
  type?: 'artist'
  sort?: SongSort
}

const parseSongSort = (value: unknown): SongSort => parseSort(songSorts, value, DEFAULT_SONG_SORT)
const toSearchQuery = ({ q = '', type, sort }: SearchParams) => ({
  text: q.trim().slice(0, SEARCH_TEXT_MAX_LENGTH),
  artist: type === 'artist',
  sort: parseSongSort(sort),
})

export const Route = createFileRoute('/search')({
  validateSearch: (rawSearch): SearchParams => {
    const songSort = parseSongSort(rawSearch.sort)
    return {
      ...(typeof rawSearch.q === 'string' ? { q: rawSearch.q } : {}),
      ...(rawSearch.type === 'artist' ? { type: 'artist' } : {}),
      ...(songSort === DEFAULT_SONG_SORT ? {} : { sort: songSort }),
    }
  },
  loaderDeps: ({ search }) => toSearchQuery(search),
  loader: ({ context, deps }) => (deps.text === '' ? undefined : preloadResources(context.services.catalogue.search(deps))),
  head: ({ match }) =>
    createHeadForHeading(match.context.services.site, formatSearchHeading(match.search.q?.trim() ?? '', match.search.type === 'artist')),
  component: Search,
})

function Search() {
  const searchParams = Route.useSearch()
  const navigate = Route.useNavigate()
  const setSort = (sort: SongSort) => {
    const { sort: _previousSort, ...searchWithoutSort } = searchParams
    void navigate({
      search: sort === DEFAULT_SONG_SORT ? searchWithoutSort : { ...searchWithoutSort, sort },
      replace: true,
      resetScroll: false,
    })
  }
  return <SearchPage query={toSearchQuery(searchParams)} onSort={setSort} />
}
