import type { ReactNode } from 'react'
import type { PlaylistSort } from '../../../contract/sort-orders.ts'
import { LoadFailure, StaleNotice } from '../../components/load-failure.tsx'
import { PlaylistGrid } from '../../components/playlist-grid.tsx'
import { playlistSortOptions, SortSelect } from '../../components/sort-select.tsx'
import { usePlaylists } from '../../hooks/catalogue.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import { EmptyState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './page.module.css'

interface PlaylistsPageProps {
  sort: PlaylistSort
  onSort: (sort: PlaylistSort) => void
  /** The section of the person's own playlists. */
  ownPlaylists?: ReactNode
}

export function PlaylistsPage({ sort, onSort, ownPlaylists }: PlaylistsPageProps) {
  const loadedPlaylists = usePlaylists(sort)
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <SectionHeading level={1} endContent={<SortSelect value={sort} options={playlistSortOptions} onChange={onSort} />}>
        Playlists
      </SectionHeading>
      <StaleNotice loaded={loadedPlaylists} />
      {loadedPlaylists.status === 'loading' && <SkeletonGrid count={12} />}
      {loadedPlaylists.status === 'error' && loadedPlaylists.error && (
        <LoadFailure error={loadedPlaylists.error} onRetry={loadedPlaylists.retry} />
      )}
      {loadedPlaylists.data?.length === 0 && (
        <EmptyState
          title="No playlists yet"
          text="There are no playlists here yet. You can still search for a song."
          action={
            <Button icon="search" to="/search">
              Search
            </Button>
          }
        />
      )}
      {loadedPlaylists.data && loadedPlaylists.data.length > 0 && <PlaylistGrid playlists={loadedPlaylists.data} label="Playlists" />}
      {ownPlaylists}
    </div>
  )
}
