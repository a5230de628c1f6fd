import type { SongDetail } from '../../../contract/song.ts'
import { artistPath, playlistPath } from '../../hooks/paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatLongDate } from '../../ui/format.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './song-head.module.css'

export function SongHead({ song }: { song: SongDetail }) {
  return (
    <header className={styles.head}>
      <h1 dir="auto" className={classNames(typeStyles.display, typeStyles.d3, styles.title, LONG_TITLE.test(song.title) && styles.long)}>
        {song.title}
      </h1>
      <div className={styles.tags}>
        {song.new === 'true' && (
          <Badge kind="new" size="m">
            New
          </Badge>
        )}
        <Badge kind="plain" size="m" to={artistPath(song.author_name)} className={styles.tag ?? ''}>
          <span className={styles.clip}>{song.author_name}</span>
        </Badge>
        <Badge kind="category" size="m" to={playlistPath(song.category_id)} className={styles.tag ?? ''}>
          <span className={styles.clip}>{song.category_name}</span>
        </Badge>
        <time className={typeStyles.muted} dateTime={song.date_added}>
          {formatLongDate(song.date_added)}
        </time>
      </div>
    </header>
  )
}

/** Matches titles that are set in a smaller size: those with a long word, and those with more than 32 characters. */
const LONG_TITLE = /\S{14}|.{33}/

/** Renders the placeholder of the song's title while the song is loaded. */
export function SongHeadLoading() {
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
      <Skeleton className={styles.actionsBone} height="54px" />
    </div>
  )
}
