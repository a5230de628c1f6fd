import { useEffect, useId, useState } from 'react'
import { createSongPath } from '../../hooks/paths.ts'
import { useSite } from '../../hooks/services.tsx'
import { isPlainClick } from '../../primitives/keys.ts'
import { addListener } from '../../primitives/scope.ts'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { formatDuration } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './played-before.module.css'
import { type SongOnAir, useRadioState } from './use-radio.ts'

/**
 * Lists the songs that the station played before the one on air, newest first, with links to their pages on the main site. A followed link
 * says so until its page arrives, because that page is a document of another host. On phones the list is folded.
 */
export function PreviouslyPlayedSongs() {
  const history = useRadioState((state) => state.onAir?.history)
  const { main_url } = useSite()
  const [isOpen, setOpen] = useState(false)
  const [followedStartTime, setFollowedStartTime] = useState<SongOnAir['start_time']>()
  // When a person returns, the browser may show this page in the state in which it was left.
  useEffect(() => addListener(window, 'pageshow', () => setFollowedStartTime(undefined)), [])
  const listId = useId()
  if (history === undefined || history.length === 0) return null
  return (
    <section aria-labelledby={`${listId}-heading`} className={classNames(typeStyles.wrap, styles.before)}>
      <h2 id={`${listId}-heading`} className={classNames(typeStyles.head, typeStyles.d1)}>
        <span className={styles.heading}>Played before</span>
        <button type="button" className={styles.fold} aria-expanded={isOpen} aria-controls={listId} onClick={() => setOpen(!isOpen)}>
          Played before
          <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} />
        </button>
      </h2>
      <ol id={listId} className={classNames(styles.list, !isOpen && styles.folded)}>
        {history.map((song) => (
          <li key={song.start_time}>
            <a
              className={styles.song}
              href={main_url + createSongPath(song.youtube_id)}
              aria-busy={followedStartTime === song.start_time}
              onClick={(event) => isPlainClick(event) && setFollowedStartTime(song.start_time)}
            >
              <Cover src={`/img/song/${song.youtube_id}`} ratio="wide" width={80} alt="" />
              <span className={typeStyles.lines}>
                <span className={styles.title} dir="auto">
                  {song.title}
                </span>
                <span className={classNames(typeStyles.muted, styles.artist)} dir="auto">
                  {song.author_name}
                </span>
              </span>
              <span className={classNames(typeStyles.mono, typeStyles.muted)}>
                {followedStartTime === song.start_time ? 'Loading...' : formatDuration(song.duration)}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  )
}
