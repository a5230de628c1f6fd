import { useEffect, useMemo } from 'react'
import { formatSearchHeading } from '../../../contract/page-titles.ts'
import type { Song } from '../../../contract/song.ts'
import type { SongSort } from '../../../contract/sort-orders.ts'
import { parseVideoId } from '../../../contract/youtube.ts'
import { LoadFailure, StaleNotice } from '../../components/load-failure.tsx'
import { SongList } from '../../components/song-list.tsx'
import { SortSelect, searchSortOptions } from '../../components/sort-select.tsx'
import { type SearchQuery, useSearch } from '../../hooks/catalogue.ts'
import { useServerUnreachable } from '../../hooks/offline.ts'
import { createSearchPath } from '../../hooks/paths.ts'
import { rememberSearch } from '../../hooks/search-start.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatPlural } from '../../ui/format.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { chooseTallScriptClass } from '../../ui/tall-script-class.ts'
import typeStyles from '../../ui/type.module.css'
import { splitByArtist } from './artist-songs.ts'
import styles from './page.module.css'
import { SearchForm } from './search-form.tsx'
import searchStyles from './search-page.module.css'
import { SearchStartingPoints } from './search-starting-points.tsx'
import { usePlayAll } from './use-play-all.ts'

interface SearchPageProps {
  query: SearchQuery
  onSort: (sort: SongSort) => void
}

export function SearchPage(props: SearchPageProps) {
  const { text } = props.query
  return text.trim() === '' ? <SearchPrompt /> : <SearchResults key={text} {...props} />
}

const NO_LOCAL_MATCHES = {
  deviceOffline: 'Nothing on this device matches, and searching the whole site needs a connection.',
  serverUnreachable: "Nothing on this device matches, and the site isn't responding.",
}

// If the chunk of `MatchingArtistsAndPlaylists` cannot be loaded, the page shows only the songs.
const MatchingArtistsAndPlaylists = lazyWithRetry(
  () => import('./matching-artists-and-playlists.tsx').then((module) => module.MatchingArtistsAndPlaylists),
  {
    renderError: () => null,
  },
)

// An on-demand chunk, because the end of a long list is far below the first screen.
const MoreResults = lazyWithRetry(() => import('./more-results.tsx').then((module) => module.MoreResults))

const DidYouMean = lazyWithRetry(() => import('./did-you-mean.tsx').then((module) => module.DidYouMean), { renderError: () => null })

/** The text for a search that failed with a network error. The product's specification prescribes it. */
const SEARCH_FAILED = 'An error occurred while fetching data.'

/** Songs found by a search are played in the context of their category. */
const readCategoryId = (song: Song) => song.category_id

const splitResults = (results: readonly Song[], { artist: isArtistSearch, text }: SearchQuery) =>
  isArtistSearch ? splitByArtist(results, text) : { songs: results, others: [] }

function describeNoResults({ artist: isArtistSearch, text }: SearchQuery): string {
  if (isArtistSearch) return 'No artist has this name.'
  return parseVideoId(text) !== undefined && text.includes('/')
    ? "This video isn't on the site yet."
    : 'Try fewer words, or just part of one.'
}

function SearchResults({ query, onSort }: SearchPageProps) {
  const headingText = formatSearchHeading(query.text, query.artist)
  const loadedSearch = useSearch(query)
  const { data } = loadedSearch
  const { songs, others } = useMemo(() => splitResults(data?.songs ?? [], query), [data, query])
  // The songs of artists with a similar name are listed after all songs of the searched artist. They are shown only once the artist's last
  // song is loaded.
  const areResultsComplete = data !== undefined && (data.complete || others.length > 0)
  const playAll = usePlayAll(query)
  const isServerUnreachable = useServerUnreachable()
  useEffect(() => {
    if (!query.artist) rememberSearch(query.text)
  }, [query.artist, query.text])
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <div className={classNames(searchStyles.heading, chooseTallScriptClass(query.text) && searchStyles.tall)}>
        <SectionHeading level={1}>{headingText}</SectionHeading>
      </div>
      <SearchForm text={query.text} />
      <div className={searchStyles.names}>
        {songs.length > 0 && (
          <Button variant="primary" icon="play" onClick={() => playAll({ songs, complete: areResultsComplete })}>
            Play all
          </Button>
        )}
        <MatchingArtistsAndPlaylists query={query} songs={songs} />
        <div className={searchStyles.order}>
          <span className={typeStyles.mono} role="status">
            {areResultsComplete && songs.length > 0 && formatPlural(songs.length, 'song') + (data.isFromDevice ? ' on this device' : '')}
          </span>
          {loadedSearch.status !== 'error' && data?.songs.length !== 0 && (
            <SortSelect value={query.sort} options={searchSortOptions} onChange={onSort} />
          )}
        </div>
      </div>
      <StaleNotice loaded={loadedSearch} />
      {loadedSearch.status === 'loading' && <SkeletonRows count={10} />}
      {loadedSearch.status === 'error' && loadedSearch.error && (
        <LoadFailure error={loadedSearch.error} onRetry={loadedSearch.retry} title={SEARCH_FAILED} reasons={NO_LOCAL_MATCHES} />
      )}
      {data?.songs.length === 0 && (
        <EmptyState
          title="No songs found"
          text={describeNoResults(query)}
          action={
            query.artist ? (
              <Button icon="search" to={createSearchPath(query.text)}>
                Search titles too
              </Button>
            ) : (
              <Button to="/playlists">Browse playlists</Button>
            )
          }
        />
      )}
      {data?.songs.length === 0 && !query.artist && <DidYouMean text={query.text} />}
      {songs.length > 0 && (
        <SongList songs={songs} getContextId={readCategoryId} isPartial={!areResultsComplete} numbered={false} label={headingText} />
      )}
      {data && others.length > 0 && (
        <section className={searchStyles.others}>
          <SectionHeading>Other artists with similar names</SectionHeading>
          <SongList
            songs={others}
            getContextId={readCategoryId}
            isPartial={!data.complete}
            numbered={false}
            label="Songs of other artists"
          />
        </section>
      )}
      {data?.isFromDevice && loadedSearch.stale && data.songs.length > 0 && (
        <p className={searchStyles.partial}>
          {isServerUnreachable
            ? "The site isn't responding: these results are from this device."
            : 'Searching the whole site needs a connection.'}
        </p>
      )}
      {data && !data.complete && data.songs.length > 0 && (
        <MoreResults loadedSearch={loadedSearch} songCount={data.songs.length} failureTitle={SEARCH_FAILED} />
      )}
    </div>
  )
}

function SearchPrompt() {
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <SectionHeading level={1}>Search</SectionHeading>
      <SearchForm />
      <p className={typeStyles.lead}>Type a song or an artist. Part of the name is enough; word order and accents don't matter.</p>
      <SearchStartingPoints />
    </div>
  )
}
