import { type ReactNode, useId } from 'react'
import type { Playlist } from '../../../contract/playlist.ts'
import type { useExplore } from '../../hooks/catalogue.ts'
import { classNames } from '../../ui/class-names.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './explore-more.module.css'

/** Shows other playlists below the song. `children` renders the playlists; `failure` is rendered if they could not be loaded. */
export function ExploreMore({
  loadedPlaylists,
  failure,
  children,
}: {
  loadedPlaylists: ReturnType<typeof useExplore>
  failure: ReactNode
  children: (playlists: readonly Playlist[]) => ReactNode
}) {
  const headingId = useId()
  if (loadedPlaylists.data?.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <div className={classNames(typeStyles.wrap)}>
        <SectionHeading id={headingId}>Explore more</SectionHeading>
        {loadedPlaylists.data ? children(loadedPlaylists.data) : loadedPlaylists.status === 'error' ? failure : <SkeletonGrid count={8} />}
      </div>
    </section>
  )
}
