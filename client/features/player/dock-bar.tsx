import { useRef } from 'react'
import { useFavoriteToggle } from '../../hooks/favorites.ts'
import { songPath } from '../../hooks/paths.ts'
import { useHasVideoPlaceholder, useIsOfflineAndNotPlaying, usePlayerState, usePosition } from '../../hooks/player.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import barStyles from '../../ui/docked-bar.module.css'
import { formatDuration } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './dock.module.css'
import { EditCover, EditLine } from './dock-edit.tsx'
import timeStyles from './playback-time.module.css'
import { PlayerMessage } from './player-message.tsx'
import { QueueSheetButton } from './queue-sheet.tsx'
import { Scrubber } from './scrubber.tsx'
import { PlayerVolume, Transport } from './transport.tsx'

export { PlayerMessage }

/**
 * The visible part of the dock: the current song and the player's controls. On the song page it is shown while the page's own player is
 * scrolled out of view.
 */
export function DockBar({ folded }: { folded: boolean }) {
  const song = usePlayerState((state) => state.current)
  const contextId = usePlayerState((state) => state.contextId)
  const shuffle = usePlayerState((state) => state.shuffle)
  const hasFailed = usePlayerState((state) => state.error !== undefined || state.status === 'blocked')
  const isEdit = song?.artwork !== undefined
  const { isFavorite: favorite, toggle } = useFavoriteToggle(isEdit ? undefined : song)
  const hasDeck = useHasVideoPlaceholder()
  const hasProblem = useIsOfflineAndNotPlaying() || hasFailed

  return (
    <section
      aria-label={hasDeck ? 'Docked player' : 'Player'}
      className={classNames(barStyles.bar, styles.dock, (folded || isEdit) && styles.folded, hasProblem && styles.troubled)}
      data-edit={isEdit || undefined}
    >
      <div className={styles.now}>
        {isEdit ? (
          <EditCover edit={song} />
        ) : (
          song && <Cover src={`/img/song/${song.youtube_id}`} ratio="wide" width={85} alt="" className={styles.cover} />
        )}
        {song ? (
          <a
            className={classNames(barStyles.title, styles.title)}
            dir="auto"
            href={isEdit ? '/account/maker' : songPath(song.youtube_id, contextId, { shuffle })}
          >
            {song.title}
          </a>
        ) : (
          <span className={classNames(barStyles.title, styles.title, typeStyles.muted)}>Loading...</span>
        )}
        {isEdit ? (
          <EditLine artist={song.author_name} className={classNames(barStyles.artist, styles.artist)} messageClassName={styles.trouble} />
        ) : hasProblem ? (
          <PlayerMessage className={styles.trouble} brief />
        ) : (
          <span className={classNames(barStyles.artist, styles.artist)} dir="auto">
            {song?.author_name}
          </span>
        )}
      </div>
      <Scrubber hasTimes={false} className={styles.scrubber} />
      <Transport hasModeButtons className={styles.buttons} />
      <div className={styles.ends}>
        <PlaybackTime className={styles.time} />
        {song && !isEdit && (
          <IconButton
            icon={favorite ? 'heart-filled' : 'heart'}
            label="Favorite"
            look="bright"
            pressed={favorite}
            className={styles.heart ?? ''}
            onClick={toggle}
          />
        )}
        <div className={styles.volume}>
          <PlayerVolume />
        </div>
        <QueueSheetButton />
      </div>
    </section>
  )
}

/**
 * Shows the playback position and the song's length. Hidden from screen readers, because the slider `Position` has the same information.
 */
function PlaybackTime({ className }: { className?: string | undefined }) {
  const durationSeconds = usePlayerState((state) => state.durationSeconds)
  const elapsed = useRef<HTMLSpanElement>(null)
  usePosition(({ positionSeconds }) => {
    if (elapsed.current) elapsed.current.textContent = formatDuration(positionSeconds)
  })
  return (
    <span className={classNames(typeStyles.mono, className)} aria-hidden="true">
      <span ref={elapsed} />
      {durationSeconds > 0 && <span className={timeStyles.length}> / {formatDuration(durationSeconds)}</span>}
    </span>
  )
}
