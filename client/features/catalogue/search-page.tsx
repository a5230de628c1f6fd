import { type FormEvent, useEffect, useRef } from 'react'
import type { Song } from '../../../contract/song.ts'
import type { SearchQuery, SearchSort } from '../../bindings/catalogue.ts'
import { type LoadedSearch, useSearch } from '../../bindings/catalogue.ts'
import { useGo } from '../../bindings/go.ts'
import { useSilent } from '../../bindings/offline.ts'
import { searchPath } from '../../bindings/paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Key } from '../../ui/key.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { EmptyState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { LoadFailure, StaleNotice } from './failure.tsx'
import styles from './page.module.css'
import searchStyles from './search-page.module.css'
import { searchHeading, searchSorts } from './search-sorts.ts'
import { SongList } from './song-list.tsx'
import { SortSelect } from './sort-select.tsx'

export function SearchPage({ query, onSort }: { query: SearchQuery; onSort: (sort: SearchSort) => void }) {
  return query.text.trim() === '' ? <SearchPrompt /> : <Results key={query.text} query={query} onSort={onSort} />
}

/** What the specification has a person read where a search could not be asked. */
const NO_NETWORK = 'An error occurred while fetching data.'
const nothingHere = {
  unplugged: 'Nothing on this device matches, and searching the whole site needs a connection.',
  silent: 'Nothing on this device matches, and the site does not answer.',
}
const noMore = { unplugged: 'More results need a connection.', silent: 'The site does not answer.' }

/** A song found is played in its category. */
const categoryOf = (song: Song) => song.category_id

function Results({ query, onSort }: { query: SearchQuery; onSort: (sort: SearchSort) => void }) {
  const heading = searchHeading(query.text)
  const loaded = useSearch(query)
  const { data } = loaded
  const silent = useSilent()
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <SectionHeading
        level={1}
        end={
          <>
            <span className={typeStyles.mono} role="status">
              {data?.complete && data.songs.length > 0 && formatPlural(data.songs.length, 'song') + (data.local ? ' on this device' : '')}
            </span>
            {loaded.status !== 'error' && data?.songs.length !== 0 && (
              <SortSelect value={query.sort} options={searchSorts} onChange={onSort} />
            )}
          </>
        }
      >
        {heading}
      </SectionHeading>
      <StaleNotice loaded={loaded} />
      {loaded.status === 'loading' && <SkeletonRows count={10} />}
      {loaded.status === 'error' && loaded.error && (
        <LoadFailure error={loaded.error} onRetry={loaded.retry} title={NO_NETWORK} reasons={nothingHere} />
      )}
      {data?.songs.length === 0 && (
        <EmptyState
          title="No songs found"
          text={query.artist ? 'No artist goes by this name here.' : 'Try fewer words, or only a part of one.'}
          action={
            query.artist ? (
              <Key icon="search" to={searchPath(query.text)}>
                Search titles too
              </Key>
            ) : (
              <Key to="/playlists">Browse playlists</Key>
            )
          }
        />
      )}
      {data && data.songs.length > 0 && (
        <SongList songs={data.songs} contextOf={categoryOf} open={!data.complete} numbered={false} label={heading} />
      )}
      {data?.local && loaded.stale && data.songs.length > 0 && (
        <p className={searchStyles.partial}>
          {silent ? 'The site does not answer: this is what is on this device.' : 'Searching the whole site needs a connection.'}
        </p>
      )}
      {data && !data.complete && data.songs.length > 0 && <MoreResults loaded={loaded} shown={data.songs.length} />}
    </div>
  )
}

/** Asks for the next page as it comes near; after a failure only when a person says so. */
function MoreResults({ loaded, shown }: { loaded: LoadedSearch; shown: number }) {
  const end = useRef<HTMLDivElement>(null)
  const { more, loadingMore, moreError } = loaded
  const waiting = !loadingMore && !moreError
  // `shown` is there for a page that leaves the end in view: the observer must be asked anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => {
    if (!end.current || !waiting) return
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && more(), {
      rootMargin: '1200px',
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [waiting, more, shown])
  return (
    <div ref={end}>
      {loadingMore && <SkeletonRows count={3} />}
      {moreError && <LoadFailure error={moreError} onRetry={more} title={NO_NETWORK} reasons={noMore} />}
    </div>
  )
}

function SearchPrompt() {
  const go = useGo()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = new FormData(event.currentTarget).get('q')
    if (typeof text === 'string' && text.trim() !== '') go(searchPath(text.trim()))
  }
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <SectionHeading level={1}>Search</SectionHeading>
      <form action="/search" onSubmit={submit} className={searchStyles.form}>
        <search className={searchStyles.field}>
          <Icon name="search" className={searchStyles.icon} />
          <input
            className={searchStyles.input}
            type="search"
            name="q"
            aria-label="Search songs and artists"
            placeholder="Songs and artists"
            maxLength={200}
            autoComplete="off"
            enterKeyHint="search"
          />
        </search>
        <Key type="submit" variant="lit" size="big">
          Search
        </Key>
      </form>
      <p className={typeStyles.lead}>Type a song or an artist. A part of the name is enough, in any order, with or without accents.</p>
    </div>
  )
}
