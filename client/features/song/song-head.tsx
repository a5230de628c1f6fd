import { useState } from 'react'
import { formatSongHeading } from '../../../contract/page-titles.ts'
import { isContextOnDevice } from '../../../contract/playlist-rules.ts'
import type { Song, SongDetail } from '../../../contract/song.ts'
import { useFavoriteToggle } from '../../hooks/favorites.ts'
import { createArtistPath, createPlaylistPath, createSongPath } from '../../hooks/paths.ts'
import { usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { ActionBar, ActionButton } from '../../ui/action-bar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatLongDate } from '../../ui/format.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { ShareActions } from '../../ui/share-actions.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SleepTimerAction } from '../../ui/sleep-action.tsx'
import { chooseTallScriptClass } from '../../ui/tall-script-class.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './song-head.module.css'

export function SongHead({ song }: { song: Song }) {
  return (
    <header className={styles.head}>
      <h1
        dir="auto"
        className={classNames(
          typeStyles.display,
          typeStyles.d3,
          styles.title,
          chooseTallScriptClass(song.title),
          LONG_TITLE_PATTERN.test(song.title) && styles.long,
        )}
      >
        {song.title}
      </h1>
      <div className={styles.tags}>
        {song.new === 'true' && (
          <Badge kind="new" size="m">
            New
          </Badge>
        )}
        <Badge kind="plain" size="m" to={createArtistPath(song.author_name)} className={styles.tag}>
          <span className={styles.clip}>{song.author_name}</span>
        </Badge>
        {song.category_id && (
          <Badge kind="category" size="m" to={createPlaylistPath(song.category_id)} className={styles.tag}>
            <span className={styles.clip}>{song.category_name}</span>
          </Badge>
        )}
        <time className={typeStyles.muted} dateTime={song.date_added}>
          {formatLongDate(song.date_added)}
        </time>
      </div>
    </header>
  )
}

/** Matches titles that need a smaller font size: titles with a long word or with more than 32 characters. */
const LONG_TITLE_PATTERN = /\S{14}|.{33}/

/** Renders the placeholder of the song's title while the song is loading. */
export function SongHeadPlaceholder() {
  return (
    <div className={styles.head} aria-busy="true">
      <span className={typeStyles.hidden} role="status">
        Loading...
      </span>
      <h1 className={classNames(typeStyles.display, typeStyles.d3, styles.title)}>
        <span className={typeStyles.hidden}>Song</span>
        <Skeleton width="min(100%, 11ch)" height="0.9em" />
      </h1>
      <Skeleton width="280px" height="28px" />
    </div>
  )
}

/** Renders the placeholder of the actions while the song is loading. */
export const SongActionsPlaceholder = () => <Skeleton className={styles.actionsBone} />

const ReportDialog = lazyDialog('Report this song', () => import('./report-dialog.tsx').then((module) => module.ReportDialog))

interface SongActionsProps {
  song: SongDetail
  contextId: string | undefined
  /** Asks for the playlist to which songs are added. */
  onAddSongs: (songs: readonly Song[]) => void
}

/** Renders the actions for the song on its page: favorite, add to playlist, copy link, sleep timer, report. */
export function SongActions({ song, contextId, onAddSongs }: SongActionsProps) {
  const player = usePlayer()
  const [isReportOpen, setReportOpen] = useState(false)
  const { isFavorite, toggle } = useFavoriteToggle(song)
  const sleepTimer = usePlayerState((state) => state.sleep)
  // Favorites are private. If the song was opened from the favorites, the copied link does not contain the favorites as its context.
  const pagePath = createSongPath(song.youtube_id, isContextOnDevice(contextId) ? undefined : contextId)

  return (
    <>
      <ActionBar>
        <ActionButton icon={isFavorite ? 'heart-filled' : 'heart'} label="Favorite" pressed={isFavorite} onClick={toggle} />
        <ActionButton icon="plus" label="Add to playlist" onClick={() => onAddSongs([song])} />
        <ShareActions path={pagePath} title={formatSongHeading(song)} />
        <SleepTimerAction sleep={sleepTimer} onChoose={(sleep) => player.setSleep(sleep)} />
        <ActionButton icon="flag" label="Report" onClick={() => setReportOpen(true)} />
      </ActionBar>
      <ReportDialog song={song} open={isReportOpen} onClose={() => setReportOpen(false)} />
    </>
  )
}
