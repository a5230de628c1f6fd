import { useEffect, useRef } from 'react'
import { LoadFailure } from '../../components/load-failure.tsx'
import type { LoadedSearch } from '../../hooks/catalogue.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'

const NO_MORE_RESULTS = { deviceOffline: 'More results need a connection.', serverUnreachable: "The site isn't responding." }

interface MoreResultsProps {
  loadedSearch: LoadedSearch
  songCount: number
  /** The title of the message that is shown if the next page cannot be loaded. */
  failureTitle: string
}

/** Loads the next page when the end of the list is near the viewport; after a failure only on Retry. */
export function MoreResults({ loadedSearch, songCount, failureTitle }: MoreResultsProps) {
  const listEndElement = useRef<HTMLDivElement>(null)
  const { loadMore: loadMoreSongs, loadingMore, moreError } = loadedSearch
  const canLoadMore = !loadingMore && !moreError
  // The effect depends on `songCount`, because a loaded page may be so short that the end of the list stays in the viewport, which only a new
  // observer reports.
  // biome-ignore lint/correctness/useExhaustiveDependencies: songCount restarts the observer
  useEffect(() => {
    if (!listEndElement.current || !canLoadMore) return
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && loadMoreSongs(), {
      rootMargin: '1200px',
    })
    observer.observe(listEndElement.current)
    return () => observer.disconnect()
  }, [canLoadMore, loadMoreSongs, songCount])
  return (
    <div ref={listEndElement}>
      {loadingMore && <SkeletonRows count={3} />}
      {moreError && <LoadFailure error={moreError} onRetry={loadMoreSongs} title={failureTitle} reasons={NO_MORE_RESULTS} />}
    </div>
  )
}
