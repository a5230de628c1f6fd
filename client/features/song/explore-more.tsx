import { useDeferredValue, useId } from 'react'
import { LoadFailure } from '../../components/load-failure.tsx'
import { useRandomPlaylists } from '../../hooks/catalogue.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './explore-more.module.css'

// The grid of cards is an on-demand chunk, because its playlists are requested only after the page has started.
const PlaylistGrid = lazyWithRetry(() => import('../../components/playlist-grid.tsx').then((module) => module.PlaylistGrid), {
  fallback: () => <SkeletonGrid count={8} />,
})

const networkFailureReasons = { deviceOffline: 'This needs a connection.', serverUnreachable: "The site isn't responding." }

/** The section with other playlists below the song. */
export function ExploreMore() {
  const headingId = useId()
  // The playlists are a deferred value, so that rendering twelve cards does not delay input.
  const { data, status, error, retry } = useDeferredValue(useRandomPlaylists())
  if (data?.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <div className={typeStyles.wrap}>
        <SectionHeading id={headingId}>Explore more</SectionHeading>
        {data ? (
          <PlaylistGrid playlists={data} headingLevel={3} label="Explore more" />
        ) : status === 'error' ? (
          error && <LoadFailure error={error} onRetry={retry} reasons={networkFailureReasons} fallbackAction={null} />
        ) : (
          <SkeletonGrid count={8} />
        )}
      </div>
    </section>
  )
}
