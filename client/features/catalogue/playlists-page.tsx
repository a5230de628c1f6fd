import { usePlaylists } from '../../bindings/catalogue.ts'
import { classNames } from '../../ui/class-names.ts'
import { Key } from '../../ui/key.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import { EmptyState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { LoadFailure, StaleNotice } from './failure.tsx'
import styles from './page.module.css'
import { PlaylistGrid } from './playlist-grid.tsx'
import { type PlaylistSort, playlistSorts } from './playlist-sorts.ts'
import { SortSelect } from './sort-select.tsx'

export function PlaylistsPage({ sort, onSort }: { sort: PlaylistSort; onSort: (sort: PlaylistSort) => void }) {
  const loaded = usePlaylists(sort)
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <SectionHeading level={1} end={<SortSelect value={sort} options={playlistSorts} onChange={onSort} />}>
        Playlists
      </SectionHeading>
      <StaleNotice loaded={loaded} />
      {loaded.status === 'loading' && <SkeletonGrid count={12} />}
      {loaded.status === 'error' && loaded.error && <LoadFailure error={loaded.error} onRetry={loaded.retry} />}
      {loaded.data?.length === 0 && (
        <EmptyState
          title="No playlists yet"
          text="There is nothing to play here so far. A song may still be found by its name."
          action={
            <Key icon="search" to="/search">
              Search
            </Key>
          }
        />
      )}
      {loaded.data && loaded.data.length > 0 && <PlaylistGrid playlists={loaded.data} label="Playlists" />}
    </div>
  )
}
