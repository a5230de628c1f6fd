import type { ReactNode } from 'react'
import type { Playlist, PlaylistWithSongs } from '../../../contract/playlist.ts'
import { usePlaylist } from '../../bindings/catalogue.ts'
import { usePageTitle } from '../../bindings/page-title.ts'
import { classNames } from '../../ui/class-names.ts'
import { Key } from '../../ui/key.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import { EmptyState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { LoadFailure, StaleNotice } from './failure.tsx'
import styles from './page.module.css'
import headStyles from './playlist-head.module.css'
import { PlaylistHead } from './playlist-head.tsx'
import { SongList } from './song-list.tsx'

interface PlaylistPageProps {
  id: string
  /** The page for an id that the site does not know. */
  notFound: ReactNode
  /** The key that keeps the playlist on this device. */
  keep?: ((playlist: Playlist) => ReactNode) | undefined
}

/** The songs of one playlist, or of a category. */
export function PlaylistPage({ id, notFound, keep }: PlaylistPageProps) {
  const loaded = usePlaylist(id)
  const missing = loaded.status === 'error' && loaded.error?.code === 404
  usePageTitle(missing ? 'Page not found' : loaded.status === 'error' ? 'Playlist' : loaded.data?.playlist.title)
  if (missing) return notFound
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <StaleNotice loaded={loaded} />
      {loaded.status === 'loading' && <PlaylistSkeleton />}
      {loaded.status === 'error' && loaded.error && (
        <>
          <SectionHeading level={1}>Playlist</SectionHeading>
          <LoadFailure error={loaded.error} onRetry={loaded.retry} />
        </>
      )}
      {loaded.data && <PlaylistContent {...loaded.data} id={id} keep={keep?.(loaded.data.playlist)} />}
    </div>
  )
}

function PlaylistContent({ playlist, songs, id, keep }: PlaylistWithSongs & { id: string; keep: ReactNode }) {
  return (
    <>
      <PlaylistHead playlist={playlist} songs={songs} keep={keep} />
      {songs.length === 0 ? (
        <EmptyState
          title="No songs found"
          text="This playlist is empty"
          action={
            <Key icon="arrow-left" to="/">
              Go back
            </Key>
          }
        />
      ) : (
        <SongList songs={songs} total={playlist.song_count} contextOf={() => id} label={`Songs of ${playlist.title}`} />
      )}
    </>
  )
}

function PlaylistSkeleton() {
  return (
    <>
      <h1 className={typeStyles.hidden}>Playlist</h1>
      <div className={headStyles.head} aria-hidden="true">
        <Skeleton className={headStyles.art} />
        <div className={headStyles.about}>
          <Skeleton width="30%" />
          <Skeleton width="70%" height="var(--d-3)" className={headStyles.bone} />
          <Skeleton width="55%" className={headStyles.bone} />
        </div>
      </div>
      <SkeletonRows count={8} />
    </>
  )
}
