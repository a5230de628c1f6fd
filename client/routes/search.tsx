import { createFileRoute } from '@tanstack/react-router'
import type { SearchSort } from '../bindings/catalogue.ts'
import { prepare } from '../bindings/catalogue.ts'
import { pageHead } from '../bindings/page-title.ts'
import { SearchPage } from '../features/catalogue/search-page.tsx'
import { searchHeading, searchSorts } from '../features/catalogue/search-sorts.ts'

interface SearchParams {
  q?: string
  type?: 'artist'
  sort?: SearchSort
}

const sortOf = (value: unknown): SearchSort => searchSorts.find((sort) => sort.value === value)?.value ?? 'az'
const queryOf = ({ q = '', type, sort }: SearchParams) => ({ text: q.trim(), artist: type === 'artist', sort: sort ?? ('az' as const) })

export const Route = createFileRoute('/search')({
  validateSearch: (search): SearchParams => {
    const sort = sortOf(search.sort)
    return {
      ...(typeof search.q === 'string' ? { q: search.q } : {}),
      ...(search.type === 'artist' ? { type: 'artist' } : {}),
      ...(sort === 'az' ? {} : { sort }),
    }
  },
  loaderDeps: ({ search }) => queryOf(search),
  loader: ({ context, deps }) => (deps.text === '' ? undefined : prepare(context.services.catalogue.search(deps))),
  head: ({ match }) => pageHead(match.context.services.site, searchHeading(match.search.q?.trim() ?? '')),
  component: Search,
})

function Search() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const setSort = (sort: SearchSort) => {
    const { sort: _old, ...rest } = search
    void navigate({ search: sort === 'az' ? rest : { ...rest, sort }, replace: true, resetScroll: false })
  }
  return <SearchPage query={queryOf(search)} onSort={setSort} />
}
