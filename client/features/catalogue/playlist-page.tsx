import { type ReactNode, useCallback } from 'react'
import { NOT_FOUND_HEADING } from '../../../contract/page-titles.ts'
import { pages } from '../../../contract/pages.ts'
import type { PlaylistWithSongs } from '../../../contract/playlist.ts'
import { CLIENT_PLAYLIST_SONGS_MAX } from '../../../contract/playlist-rules.ts'
import type { Song } from '../../../contract/song.ts'
import { ArrangedSongs, MIN_SONGS_TO_ARRANGE, useIsArranged } from '../../components/arranged-songs.tsx'
import { LoadFailure, StaleNotice } from '../../components/load-failure.tsx'
import { MissingContentPage } from '../../components/not-found.tsx'
import { PlaylistToggleButton } from '../../components/playlist-toggle-button.tsx'
import { SongList } from '../../components/song-list.tsx'
import { type LoadedPlaylist, usePlaylist } from '../../hooks/catalogue.ts'
import { usePageTitle } from '../../hooks/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import { EmptyState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './page.module.css'
import headStyles from './playlist-head.module.css'
import { PlaylistButtonsPlaceholder, PlaylistHead } from './playlist-head.tsx'
import { useStoredPlaylist } from './use-stored-playlist.ts'

interface PlaylistPageProps {
  id: string
  /** Whether the page shows nothing that the server has not confirmed, because the owner of the playlist may have stopped sharing it. */
  isShared?: boolean
  /** Returns the further buttons of the playlist. */
  tools?: (loaded: PlaylistWithSongs) => ReactNode
  /** Returns what replaces the list of songs, for example the form in which they can be changed. A falsy value shows the list. */
  editor?: (songs: readonly Song[]) => ReactNode
  /** Returns the content above the picture of the playlist. */
  mosaic?: (songs: readonly Song[]) => ReactNode
}

const UNCONFIRMED_REASONS = {
  deviceOffline: 'A shared playlist needs a connection, because its owner can stop sharing it. A copy that you save stays on this device.',
  serverUnreachable:
    "The site isn't responding. A shared playlist needs it, because its owner can stop sharing it. A copy that you save stays on this device.",
}

/** The page of a playlist or of a category. */
export function PlaylistPage({ id, isShared = false, ...contentProps }: PlaylistPageProps) {
  const loadedPlaylist = usePlaylist(id)
  const isPlaylistMissing = loadedPlaylist.status === 'error' && loadedPlaylist.error?.code === 404
  usePageTitle(
    isPlaylistMissing
      ? NOT_FOUND_HEADING
      : loadedPlaylist.status === 'error'
        ? pages['/playlist'].heading
        : loadedPlaylist.data?.playlist.title,
  )
  if (isPlaylistMissing) return <MissingContentPage kind="playlist" />
  const { error } = loadedPlaylist
  if (error && (isShared || loadedPlaylist.status === 'error')) {
    return (
      <div className={classNames(typeStyles.wrap, styles.page)}>
        <SectionHeading level={1}>Playlist</SectionHeading>
        <LoadFailure error={error} onRetry={loadedPlaylist.retry} {...(isShared && { reasons: UNCONFIRMED_REASONS })} />
      </div>
    )
  }
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <StaleNotice loaded={loadedPlaylist} />
      {loadedPlaylist.status === 'loading' && <PlaylistLoading id={isShared ? undefined : id} />}
      {loadedPlaylist.data && <PlaylistContent {...loadedPlaylist.data} id={id} {...contentProps} />}
    </div>
  )
}

function PlaylistContent({ playlist, songs, isPartial = false, id, tools, editor, mosaic }: LoadedPlaylist & PlaylistPageProps) {
  const [isArranged, setArranged] = useIsArranged()
  const editorContent = editor?.(songs)
  const getContextId = useCallback(() => id, [id])
  const listProps = { getContextId, isPartial, label: `Songs of ${playlist.title}` }
  const arrangeButton = playlist.song_count >= MIN_SONGS_TO_ARRANGE && (
    <PlaylistToggleButton icon="settings" label="Sort and filter" pressed={isArranged} onClick={() => setArranged(!isArranged)} />
  )
  return (
    <>
      <PlaylistHead
        playlist={playlist}
        songs={songs}
        isPartial={isPartial}
        mosaic={mosaic?.(songs)}
        endButtons={
          <>
            {!editorContent && arrangeButton}
            {tools?.({ playlist, songs })}
          </>
        }
      />
      {editorContent ? (
        editorContent
      ) : songs.length === 0 ? (
        <EmptyState
          title="No songs found"
          text="This playlist is empty"
          action={
            <Button icon="arrow-left" to="/">
              Go back
            </Button>
          }
        />
      ) : isArranged ? (
        <ArrangedSongs songs={songs} orderLabel="Playlist order" emptyText="No songs in this playlist match.">
          {(arrangedSongs) => <SongList songs={arrangedSongs} numbered={false} {...listProps} />}
        </ArrangedSongs>
      ) : (
        <SongList songs={songs} totalSongCount={Math.min(playlist.song_count, CLIENT_PLAYLIST_SONGS_MAX)} {...listProps} />
      )}
    </>
  )
}

/**
 * The page while its songs are being loaded. With an id, title and picture are shown if this device has stored them with a list of playlists.
 */
function PlaylistLoading({ id }: { id: string | undefined }) {
  const playlist = useStoredPlaylist(id)
  return (
    <>
      {playlist ? <PlaylistHead playlist={playlist} songs={undefined} /> : <HeadSkeleton />}
      <SkeletonRows count={8} />
    </>
  )
}

function HeadSkeleton() {
  return (
    <>
      <h1 className={typeStyles.hidden}>Playlist</h1>
      <div className={headStyles.head} aria-hidden="true">
        <Skeleton className={headStyles.art} />
        <div className={headStyles.about}>
          <Skeleton width="30%" />
          <Skeleton width="70%" height="var(--d-3)" className={headStyles.bone} />
          <Skeleton width="55%" className={headStyles.bone} />
          <PlaylistButtonsPlaceholder />
        </div>
      </div>
    </>
  )
}
